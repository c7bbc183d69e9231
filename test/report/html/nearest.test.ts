/** The nearest passing order is told as far as it is known: what follows from the step that was moved is not made up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sideBySide } from '../../../report/html/nearest.ts';
import type { BugView, StepRow } from '../../../report/view.ts';
import { lostUpdate } from '../samples.ts';

const row = (task: string, what: string): StepRow => ({ task, what, site: null, kind: 'deliver' });
const failing = [row('bob', 'start'), row('alice', 'timer'), row('alice', 'open'), row('bob', 'write')];

const passing = (now: 'before' | 'after', step: string, anchor: string): string[] => {
  const counterfactual = { step, now, anchor, block: false, passed: '3/3' };
  const view: BugView = { ...lostUpdate, failing, bug: { ...lostUpdate.bug, counterfactual } };
  return sideBySide(view, new Set())!.passes.lines.map(({ text }) => text);
};

test('a step that is moved behind another one takes nothing that it causes before it', () => {
  assert.deepEqual(passing('after', 'alice: timer answers', 'bob: write answers'), [
    'bob: start answers',
    'bob: write answers',
    'alice: timer answers',
  ]);
});

test('a step that is moved before another one', () => {
  assert.deepEqual(passing('before', 'bob: write answers', 'alice: timer answers'), [
    'bob: start answers',
    'bob: write answers',
    'alice: timer answers',
  ]);
});
