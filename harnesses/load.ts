import { HARNESSES, type Harness } from './api.ts';

/**
 * Imports a harness file and returns what it registered. The file gets an array of its own, so that names
 * need to be unique within one file only; the array that was there before is put back.
 * A module is evaluated once per process: a second call for the same file returns nothing.
 */
export async function loadHarnesses(file: string | URL): Promise<Harness[]> {
  const holder = globalThis as { [HARNESSES]?: Harness[] };
  const before = holder[HARNESSES];
  const own: Harness[] = [];
  holder[HARNESSES] = own;
  try {
    await import(String(file));
  } finally {
    holder[HARNESSES] = before;
  }
  return own;
}
