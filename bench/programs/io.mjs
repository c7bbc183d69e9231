// I/O: files written, read, listed and removed, four at a time.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

async function worker(dir, id, work) {
  for (let i = 0; i < work * 5; i++) {
    const file = join(dir, `${id}-${i % 4}.json`);
    await writeFile(file, JSON.stringify({ id, i, text: 'x'.repeat(4000) }));
    const { text } = JSON.parse(await readFile(file, 'utf8'));
    if (text.length !== 4000) throw new Error('torn');
    await readdir(dir);
  }
}

export async function run(work) {
  const dir = await mkdtemp(join(tmpdir(), 'bench-'));
  await Promise.all([0, 1, 2, 3].map((id) => worker(dir, id, work)));
  await rm(dir, { recursive: true });
}
