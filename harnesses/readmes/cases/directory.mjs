import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory for one test. */
export async function freshDirectory(t) {
  const dir = await mkdtemp(join(tmpdir(), 'readme-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
