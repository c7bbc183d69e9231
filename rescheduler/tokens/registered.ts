/** What a file registers for threads, evaluated anew, and the program of that which a run is about. */
import type { ThreadCalls } from '../../data/scenario.ts';
import {
  THREAD_HARNESSES,
  THREAD_SCENARIOS,
  type ThreadHarness,
  type ThreadScenario,
} from '../../harnesses/api.ts';
import type { Linker } from '../../monitor/modules/linker.ts';
import type { ThreadOverlap } from '../scenarios/thread-program.ts';
import { SubjectError } from '../subjects/protocol.ts';
import './originals.ts';

/** What is run of a file: a harness, or where there are `calls` these. */
export interface ThreadRole {
  readonly name: string;
  readonly calls: ThreadCalls | null;
}

export interface ThreadProgram {
  readonly harness: ThreadHarness;
  /** It is made of calls: they judge it. */
  readonly overlap: ThreadOverlap | null;
}

/** @throws SubjectError where the file registers no such thing. */
export async function threadProgram(
  linker: Linker,
  file: string,
  { calls, name }: ThreadRole,
): Promise<ThreadProgram> {
  const holder = globalThis as {
    [THREAD_HARNESSES]?: ThreadHarness[];
    [THREAD_SCENARIOS]?: ThreadScenario[];
  };
  const harnesses: ThreadHarness[] = (holder[THREAD_HARNESSES] = []);
  const scenarios: ThreadScenario[] = (holder[THREAD_SCENARIOS] = []);
  await linker.instance().import(file);
  if (calls) {
    const Overlap = await overlaps();
    const overlap = new Overlap(scenarios, file, calls);
    return { harness: overlap.program, overlap };
  }
  const harness = harnesses.find((each) => each.name === name);
  if (!harness) throw new SubjectError(`${file}: no harness of threads named '${name}'`);
  return { harness, overlap: null };
}

let known: Promise<typeof ThreadOverlap> | null = null;

/** Other programs begin sooner without it. */
const overlaps = (): Promise<typeof ThreadOverlap> =>
  (known ??= import('../scenarios/thread-program.ts').then(({ ThreadOverlap }) => ThreadOverlap));
