// A process adds to a journal that the test compacts meanwhile; the repaired test waits until it hears that it is done.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

async function compacted(waits) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'journal');
  await writeFile(path, 'opened\n# note\n');
  const child = fork(new URL('./compact.child.js', import.meta.url), [path]);
  await once(child, 'message');
  const [ended, done] = [once(child, 'exit'), once(child, 'message')];
  child.send('begin');
  if (waits) await done;
  else await sleep(300);
  const lines = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, lines.filter((line) => !line.startsWith('#')).join('\n'));
  await ended;
  assert.equal(await readFile(path, 'utf8'), 'opened\npaid\n');
  await rm(dir, { recursive: true });
}

test('racy', () => compacted(false));
test('repaired', () => compacted(true));
