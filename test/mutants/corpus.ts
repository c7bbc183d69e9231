/** Every mutant of every `ok` program of the catalogue. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadAll } from '../harnesses/all.ts';
import { covered } from './covered.ts';
import type { Mutant } from './mutant.ts';
import { mutate } from './mutate.ts';

const HARNESSES = new URL('../../harnesses/', import.meta.url);
/** Parts of programs that stand beside them. */
const PARTS = ['lib/pool.ts', 'lib/pool-repaired.ts'];

export interface ProgramMutant extends Mutant {
  /** `name:line operator`, unique. */
  readonly id: string;
  /** The file that registers the program, and the changed file: below `harnesses/`. */
  readonly file: string;
  readonly changed: string;
  /** Name of the harness. */
  readonly name: string;
}

export async function corpus(): Promise<ProgramMutant[]> {
  const all: ProgramMutant[] = [];
  for (const { folder, file, harnesses } of await loadAll()) {
    const ok = harnesses.find(({ expect }) => expect?.bug === false);
    if (folder !== 'catalogue' || !ok) continue;
    const ran = await covered(ok);
    for (const changed of [file, ...PARTS]) {
      const url = new URL(changed, HARNESSES);
      const mutants = mutate(readFileSync(url, 'utf8'), (offset) => ran(url.href, offset));
      for (const [nth, mutant] of mutants.entries()) {
        const place = changed === file ? '' : `${changed.replace(/^.*\/|\.ts$/g, '')}:`;
        const same = mutants.slice(0, nth).filter((m) => m.line === mutant.line).length;
        const id = `${ok.name} ${place}${mutant.line} ${mutant.operator}${same > 0 ? ` (${same + 1})` : ''}`;
        all.push({ ...mutant, id, file, changed, name: ok.name });
      }
    }
  }
  return all;
}

/** Absolute path of a file below `harnesses/`. */
export const original = (file: string): string => fileURLToPath(new URL(file, HARNESSES));
