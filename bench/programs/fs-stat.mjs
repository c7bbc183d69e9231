// File operations, four at a time: fs.promises.stat. One alone takes a few µs or a few ten, by how deep the processor sleeps meanwhile.
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function run(work) {
  const file = join(tmpdir(), `bench-stat-${process.pid}`);
  await fs.writeFile(file, 'content');
  for (let i = 0; i < work * 25; i++) await Promise.all(Array.from({ length: 4 }, () => fs.stat(file)));
  await fs.rm(file);
}
