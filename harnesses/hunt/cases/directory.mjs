import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fresh directory of one test, removed after it. */
export async function freshDirectory(t) {
  const dir = await mkdtemp(join(tmpdir(), 'hunt-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
