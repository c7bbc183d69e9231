import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, it } from 'node:test';
import { Deadline, withheldFrom } from '../../rescheduler/deadline.ts';

const linux = existsSync('/proc/self/schedstat');

function spin(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Clocks that a test moves. */
function clocks(withheld = 0) {
  const at = { now: 100, withheld };
  return { at, now: () => at.now, withheld: () => at.withheld };
}

describe('a deadline', () => {
  it('is over when its time is, where nothing is withheld', () => {
    const moved = clocks();
    const deadline = new Deadline(20, 'self', moved);
    assert.equal(deadline.left(), 20);
    moved.at.now += 19;
    assert.equal(deadline.left(), 1);
    moved.at.now += 1;
    assert.equal(deadline.left(), 0);
  });

  it('gives back what is withheld, and no more than twice its time', () => {
    const moved = clocks();
    const deadline = new Deadline(20, 'self', moved);
    let ms = 0;
    for (; deadline.left() > 0; ms++) {
      moved.at.now += 1;
      moved.at.withheld += 1;
    }
    assert.equal(ms, 60);
  });

  it('does not count what was withheld before it began', () => {
    const moved = clocks(1000);
    const deadline = new Deadline(20, 'self', moved);
    moved.at.now += 3;
    assert.equal(deadline.left(), 17);
    moved.at.now += 17;
    assert.equal(deadline.left(), 0);
  });

  it('calls once, unless it is told not to', async () => {
    const calls: string[] = [];
    const still = { now: performance.now.bind(performance), withheld: () => 0 };
    new Deadline(5, 'self', still).whenOver(() => calls.push('over'));
    new Deadline(5, 'self', still).whenOver(() => calls.push('told not to'))();
    while (calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(calls, ['over']);
  });
});

describe('what a machine withholds', { skip: !linux }, () => {
  it('grows where more threads are ready than there are processors', async () => {
    const others = Array.from({ length: 2 * availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'process.stdout.write("."); for (;;);'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    try {
      await Promise.all(others.map(({ stdout }) => new Promise((begun) => stdout.once('data', begun))));
      const before = [withheldFrom('self'), withheldFrom(others[0]!.pid!)] as const;
      spin(300);
      assert.ok(withheldFrom('self') > before[0]);
      assert.ok(withheldFrom(others[0]!.pid!) > before[1]);
    } finally {
      for (const other of others) other.kill('SIGKILL');
    }
  });

  it('is nothing of a process that is not there', () => {
    assert.equal(withheldFrom(0), 0);
  });
});
