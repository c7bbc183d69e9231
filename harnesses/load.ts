import { HARNESSES, type Harness, THREAD_HARNESSES, type ThreadHarness } from './api.ts';

/** What a harness file registers, of both kinds. */
export interface Registered {
  readonly tasks: readonly Harness[];
  readonly threads: readonly ThreadHarness[];
}

/**
 * Imports a harness file and returns what it registered. The file gets arrays of its own, so that names
 * need to be unique within one file only; the arrays that were there before are put back.
 * A module is evaluated once per process: a second call for the same file returns nothing.
 */
export async function loadRegistered(file: string | URL): Promise<Registered> {
  const holder = globalThis as { [HARNESSES]?: Harness[]; [THREAD_HARNESSES]?: ThreadHarness[] };
  const before = { tasks: holder[HARNESSES], threads: holder[THREAD_HARNESSES] };
  const own: { tasks: Harness[]; threads: ThreadHarness[] } = { tasks: [], threads: [] };
  holder[HARNESSES] = own.tasks;
  holder[THREAD_HARNESSES] = own.threads;
  try {
    await import(String(file));
  } finally {
    holder[HARNESSES] = before.tasks;
    holder[THREAD_HARNESSES] = before.threads;
  }
  return own;
}

/** The harnesses of tasks that a file registers. */
export const loadHarnesses = async (file: string | URL): Promise<Harness[]> => [
  ...(await loadRegistered(file)).tasks,
];

/** The harnesses of threads that a file registers. */
export const loadThreadHarnesses = async (file: string | URL): Promise<ThreadHarness[]> => [
  ...(await loadRegistered(file)).threads,
];
