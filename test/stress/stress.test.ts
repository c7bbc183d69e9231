/** Budgets end what does not end by itself. The exact figures are those of `npm run stress`, on a quiet machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROGRAMS } from './programs.ts';
import { underBudget } from './run.ts';

const BUDGET = 2;
/** For a machine that is busy with other tests; without the budget each takes longer. */
const ALLOWED = 20;

for (const name of ['loops in the natural order', 'a thread that loops'])
  test(name, async () => {
    const { code, seconds, out } = await underBudget(PROGRAMS[name] as string, BUDGET);
    assert.equal(code, 3, out);
    assert.match(out, /stopped early: the total time of 2 s is over/);
    assert.doesNotMatch(out, /aborted|UNWEAVE_DEBUG/);
    assert.ok(seconds < ALLOWED, `${seconds} s`);
  });
