/**
 * What threads tell beside their events, one line of JSON each in one file: it is there whichever way they end. All
 * of them append to it.
 */
import { readFileSync } from 'node:fs';
import type { CallPlace } from '../../data/trace.ts';
import type { SiteInfo } from '../../monitor/runtime/types.ts';
import type { SharedView } from '../../monitor/threads/views.ts';
import { writeOwn } from '../subjects/own-files.ts';
import type { LateStep, Mark } from '../tokens/loop-holder.ts';

/** Of an event loop, piece by piece: what has been added since the one before. */
export interface LoopNote {
  readonly loop: number;
  readonly words: readonly string[];
  readonly steps: readonly string[];
  readonly by: readonly number[];
  readonly marks: readonly Mark[];
  readonly files: readonly SharedView[];
  readonly doubts: readonly string[];
  readonly late: readonly LateStep[];
}

export type Note =
  | { readonly thread: number; readonly name: string }
  /** Program points from number `first` on. */
  | { readonly first: number; readonly sites: readonly SiteInfo[] }
  | { readonly view: SharedView }
  /** What the line of a broadcast channel is called. */
  | { readonly line: number; readonly broadcast: string }
  /** Something that nobody controls, or sees. */
  | { readonly unseen: string }
  /** A thread has come to a file or to shared memory. */
  | { readonly touched: true }
  /** Why the event loops of this program cannot be put under the gate. */
  | { readonly unfit: string }
  /** By event, where accesses were called from. */
  | { readonly callers: readonly (readonly [event: number, calls: readonly CallPlace[]])[] }
  | LoopNote;

export class Notes {
  private readonly file: string;
  private readonly told = new Set<string>();

  constructor(file: string) {
    this.file = file;
  }

  /** Each thread tells everything once. */
  tell(note: Note): void {
    const line = JSON.stringify(note);
    if (this.told.has(line)) return;
    this.told.add(line);
    this.write(line);
  }

  /** Another execution begins: all is to be told again. */
  forget(): void {
    this.told.clear();
  }

  /** What is told again counts again. */
  append(note: Note): void {
    this.write(JSON.stringify(note));
  }

  private write(line: string): void {
    writeOwn(this.file, `${line}\n`, { flag: 'a' });
  }
}

/** All that was told; a line that a killed process left unfinished is not. */
export function readNotes(file: string): Note[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Note];
      } catch {
        return [];
      }
    });
}
