/** Budgets end what does not end by itself. How exactly they are kept is measured by `npm run stress`, on a quiet machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROGRAMS } from './programs.ts';
import { underBudget } from './run.ts';

const BUDGET = 2;
/** Without the budget a run that loops is given up after this, ms: longer than the test has. */
const WATCHDOG_MS = 600_000;

for (const name of ['loops in the natural order', 'a thread that loops'])
  test(name, { timeout: WATCHDOG_MS / 2 }, async () => {
    const { code, out } = await underBudget(PROGRAMS[name] as string, BUDGET, { watchdogMs: WATCHDOG_MS });
    assert.equal(code, 3, out);
    assert.match(out, /stopped early: the total time of 2 s is over/);
    assert.doesNotMatch(out, /aborted|UNWEAVE_DEBUG/);
  });
