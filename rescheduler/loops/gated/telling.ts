/** What a thread tells of its event loop, piece by piece: it may be stopped for good whenever another one runs. */
import type { Files } from '../../tokens/file-cells.ts';
import type { LoopTold } from '../../tokens/loop-body.ts';
import type { LoopHolder } from '../../tokens/loop-holder.ts';
import type { LoopNote, Notes } from '../notes.ts';
import type { ProgramCompanions } from './program-companions.ts';

const LISTS = ['words', 'steps', 'by', 'marks', 'files', 'doubts', 'late'] as const;
type ToldLists = { readonly [key in (typeof LISTS)[number]]: readonly unknown[] };

export class LoopTelling {
  private readonly notes: Notes;
  private readonly self: number;
  private readonly lists: () => ToldLists;
  private readonly told = new Map<string, number>();

  constructor(notes: Notes, self: number, holder: LoopHolder, companions: ProgramCompanions, files: Files) {
    this.notes = notes;
    this.self = self;
    this.lists = () => ({
      ...{ words: companions.steps, steps: companions.names, doubts: companions.doubts },
      ...{ by: holder.causalLog?.by ?? [], marks: holder.causalLog?.marks ?? [], files: files.views },
      late: holder.late,
    });
  }

  tell(): void {
    const lists = this.lists();
    const news = LISTS.map((key) => [key, lists[key].slice(this.told.get(key) ?? 0)] as const);
    if (news.every(([, added]) => added.length === 0)) return;
    for (const key of LISTS) this.told.set(key, lists[key].length);
    this.notes.append({ loop: this.self, ...Object.fromEntries(news) } as unknown as LoopNote);
  }
}

/** The pieces of each thread put together, by its number. */
export function loopsOf(notes: readonly LoopNote[], isRecorded: boolean): (LoopTold | null)[] {
  const found: (LoopTold | null)[] = [];
  for (const [thread, pieces] of Map.groupBy(notes, ({ loop }) => loop)) {
    const causalLog = { by: pieces.flatMap(({ by }) => by), marks: pieces.flatMap(({ marks }) => marks) };
    found[thread] = {
      words: pieces.flatMap(({ words }) => words),
      steps: pieces.flatMap(({ steps }) => steps),
      files: pieces.flatMap(({ files }) => files),
      doubts: pieces.flatMap(({ doubts }) => doubts),
      late: pieces.flatMap(({ late }) => late),
      causalLog: isRecorded ? causalLog : null,
      ...{ stopped: false, ungated: {} },
    };
  }
  return Array.from(found, (each) => each ?? null);
}
