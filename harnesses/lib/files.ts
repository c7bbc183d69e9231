/** Small file helpers that the programs share, as a code base has them. */
import { readFile, rename, writeFile } from 'node:fs/promises';

export async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

/** Replaces a file in one step: readers see the old text or the new one. `writer` keeps temporary names apart. */
export async function replaceFile(path: string, text: string, writer: string): Promise<void> {
  const temporary = `${path}.${writer}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}

export async function replaceJson(path: string, value: unknown, writer: string): Promise<void> {
  await replaceFile(path, JSON.stringify(value), writer);
}
