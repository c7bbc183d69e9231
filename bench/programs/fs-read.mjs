// One file operation after the other: fs.promises.readFile.
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function run(work) {
  const file = join(tmpdir(), `bench-read-${process.pid}`);
  await fs.writeFile(file, 'content');
  for (let i = 0; i < work * 100; i++) await fs.readFile(file);
  await fs.rm(file);
}
