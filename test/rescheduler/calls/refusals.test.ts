/** Which errors say that a component refuses what comes beside something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallPlan } from '../../../data/test-call.ts';
import { refusedOf } from '../../../rescheduler/calls/refusals.ts';

const PLAN: CallPlan = {
  ...{ kind: 'calls', stops: [{ site: '1:1', nth: 0, gave: null }], start: 'together' },
  calls: [0, 1].map(() => ({ operation: 's.set', text: 's.set("a")', reads: false, stop: 0 })),
};
const rows: [error: object, isRefusal: boolean][] = [
  [{ name: 'Error', message: 'a save is already running' }, true],
  [{ code: 'ELOCKED' }, true],
  [{ code: 'EBUSY' }, true],
  [{ code: 'LEVEL_DATABASE_NOT_OPEN' }, true],
  [{ code: 'ENOENT' }, false],
  [{ name: 'TypeError', message: 'cannot read properties while undefined' }, false],
  [{ name: 'Error', message: 'does not look like a valid storage file' }, false],
];
for (const [error, isRefusal] of rows)
  test(JSON.stringify(error), () => {
    const outcome = { results: [{ value: null }, { rejects: error }], then: null };
    assert.equal(refusedOf(PLAN, outcome) !== false, isRefusal);
  });
