/** The table of an order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderSpaceTime } from '../../report/spacetime.ts';
import { styleFor } from '../../report/style.ts';
import type { StepRow } from '../../report/view.ts';

test('a step of a task that has no column is told over all of them', () => {
  const tasks = ['one', 'two', 'three', 'four', 'five'];
  const rows = tasks.map((task): StepRow => ({ task, what: 'fs.stat a.json', site: null, kind: 'deliver' }));
  const lines = renderSpaceTime(null, rows, new Set(), new Set(), () => null, styleFor({}, {}));
  assert.match(lines[0]!, /one .*two .*three .*four$/);
  assert.match(lines.at(-1)!, /^5 .*· `five`: fs\.stat a\.json answers$/);
  assert.equal(lines.filter((line) => /^\d+ +│? *│? *│? *│?$/.test(line)).length, 0);
});
