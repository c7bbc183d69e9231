/** The state of a run by itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostRequest } from '../../../monitor/host/request.ts';
import { GatedRun } from '../../../rescheduler/gate/run.ts';
import { ObservedStrategy } from '../../../rescheduler/strategies/observed.ts';
import { limits, noFrames } from './support.ts';

const timer: HostRequest = {
  ...{ kind: 'timer', api: 'setTimeout', what: '1000', name: 'main.1', frame: null, site: 0 },
  ...{ delay: 1000, ref: true, id: 0, effects: 0 },
  accesses: () => [],
  effect: (done) => done(true),
  deliver: () => {},
};

test('what was made in the millisecond in which the run began was made before it', () => {
  const epoch = Date.now();
  const run = new GatedRun<void>({ strategy: new ObservedStrategy(), limits, frames: noFrames }, 4, epoch, 0);
  run.issue(timer, false);
  run.choose(run.ready());
  assert.equal(run.now, 1001);
  // The clock has leapt since; on which side of the leap such a file lies is still no question.
  assert.deepEqual(run.virtualTime(epoch + 0.9), { time: epoch + 0.9, doubtful: false });
});
