import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { endlessTurn } from '../../../rescheduler/subjects/journal.ts';
import { temporary } from '../../temporary.ts';

/** A run whose steps and clocks only the test moves; its watchdog is due after 1000 ms. */
function scene() {
  const folder = temporary('steps');
  const out = join(folder, 'out');
  let time = 0;
  let used = 0;
  const watch = endlessTurn(out, 1000, { now: () => time, cpu: () => used });
  return {
    watch,
    step: () => appendFileSync(`${out}.steps`, 'D:x\n'),
    /** Of `ms` the process computes for `cpu`. */
    after(ms: number, cpu = ms): boolean {
      time += ms;
      used += cpu;
      return watch.look(1);
    },
  };
}

test('a turn that goes on and on is told from a run that takes steps, and from one that waits', () => {
  const { watch, step, after } = scene();
  assert.equal(after(60_000), true, 'nothing was begun');
  for (let i = 0; i < 20; i++) {
    step();
    assert.equal(after(900), true, 'each step is a turn that ended');
  }
  assert.equal(after(2000, 1200), true, 'not yet');
  assert.equal(after(100), false);
  assert.equal(watch.spins, true);
});

test('what was computed before the last step does not show that the present turn goes on', () => {
  const { watch, step, after } = scene();
  step();
  assert.equal(after(5000), true);
  assert.equal(after(10_000, 1000), true, 'on a busy machine it takes long');
  assert.equal(after(90_000, 100), false);
  assert.equal(watch.spins, false);
});
