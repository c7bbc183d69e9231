// An agent in a process of its own and the shop keep each other out by a file with the number of a process.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

async function alone(lock, flag, body) {
  for (;;) {
    try {
      if (flag === 'w' && (await access(lock).then(() => true, () => false))) throw new Error('taken');
      await writeFile(lock, String(process.pid), { flag });
      break;
    } catch {
      await sleep(20);
    }
  }
  await body();
  await rm(lock, { force: true });
}

async function ordered(flag) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const orders = join(dir, 'orders');
  await writeFile(orders, '0');
  const agent = fork(new URL('./pidfile.child.js', import.meta.url), [dir, flag]);
  await once(agent, 'message');
  const ended = once(agent, 'exit');
  agent.send('begin');
  await sleep(300);
  await alone(join(dir, 'agent.pid'), flag, async () => {
    const count = Number(await readFile(orders, 'utf8'));
    await writeFile(orders, String(count + 1));
  });
  await ended;
  assert.equal(await readFile(orders, 'utf8'), '6');
  await rm(dir, { recursive: true });
}

test('racy', () => ordered('w'));
test('repaired', () => ordered('wx'));
