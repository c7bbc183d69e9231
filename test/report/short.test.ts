/** What is long is told in short: many late answers, many moved steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfRuntime } from '../../data/runtime-timers.ts';
import type { Request } from '../../data/trace.ts';
import { renderBug } from '../../report/bug.ts';
import { stallSentence, stepPhrase } from '../../report/phrase.ts';
import { makeStyle } from '../../report/style.ts';
import type { StepRow } from '../../report/view.ts';
import { bugOf, CWD, conditional, lostUpdate, read } from './samples.ts';

const context = { style: makeStyle(false, 100), read, cwd: CWD };

test('of many late answers the latest are told, the others counted', () => {
  const late = Array.from({ length: 20 }, (_, n) => ({ api: 'fs.read', what: `f${n}`, ms: 100 - n }));
  const said = stallSentence({ requiredStallMs: 100, requiredPauseMs: 0, latency: null }, late);
  assert.equal(
    said,
    'happens when `fs.read` of `f0` takes at least 100 ms longer than in the natural order, `fs.read` of `f1` takes at least 99 ms longer than in the natural order and 18 more answers are as late or less',
  );
});

test('a step that stands for I/O is told as a step, not as a pause of the process', () => {
  const latency = {
    timer: 'setTimeout 25 ms',
    at: { file: 'db.js', line: 7, column: 3 },
    ms: 25,
    tookMs: 120,
  };
  const said = stallSentence({ requiredStallMs: 0, requiredPauseMs: 95, latency }, []);
  assert.equal(said, 'happens when this step of 25 ms takes 120 ms: `setTimeout 25 ms` (db.js:7)');
});

test('a timer says which line set it', () => {
  const site = { file: 'a.js', line: 12, column: 9 };
  assert.equal(
    stepPhrase({ kind: 'deliver', what: 'setTimeout 200 ms', site }),
    'setTimeout 200 ms (a.js:12) fires',
  );
});

test('timers of the runtime itself are no steps of a report', () => {
  const timer = { kind: 'timer', site: 3, ref: true, delay: 100 } as Request;
  assert.equal(isOfRuntime(timer), false);
  assert.equal(isOfRuntime({ ...timer, site: -1 }), true);
  assert.equal(isOfRuntime({ ...timer, ref: false, delay: 499 }), true);
  assert.equal(isOfRuntime({ ...timer, delay: 499 }), false, 'the test’s own');
});

const step = (n: number): StepRow => ({
  task: `t${n % 3}`,
  what: `fs.read f${n}`,
  site: null,
  kind: 'deliver',
});

test('an order in which all has moved comes down to the pair that matters', () => {
  const natural = Array.from({ length: 130 }, (_, n) => step(n));
  const failing = natural.toReversed();
  const counterfactual = {
    step: 't0: fs.read f60 answers',
    now: 'after' as const,
    anchor: 't1: fs.read f40 answers',
    block: false,
    passed: '3/3',
  };
  const view = { ...conditional, bug: bugOf(null, { counterfactual }), natural, failing };
  const out = renderBug(view, context);
  const table = out.slice(
    out.findIndex((line) => line.includes('The failing order')),
    out.findIndex((line) => line.includes('What moved')),
  );
  assert.ok(table.length < 12, table.join('\n'));
  assert.match(table.join('\n'), /f60 answers[\s\S]*f40 answers/);
});

test('an order that takes loopback for a network says so', () => {
  const said = (network: boolean | null) =>
    renderBug({ ...lostUpdate, bug: { ...lostUpdate.bug, network } }, context).join('\n');
  assert.match(said(true), /taken for a\s+network[\s\S]*--loopback strict/);
  assert.match(said(true), /where a\s+network lies between the\s+ends,\s+this/);
  assert.doesNotMatch(said(false), /network/);
  assert.doesNotMatch(said(null), /network/);
});

test('advice that no failing order bears out is not given', () => {
  const view = { ...lostUpdate, bug: { ...lostUpdate.bug, fix: '0/6' } };
  const out = renderBug(view, context).join('\n');
  assert.doesNotMatch(out, /keep ① to ③ atomic/);
  assert.match(out, /6 of 6 failing orders still fail/);
});

test('advice that was not tried, or does not always help, is told as general', () => {
  const told = (fix: string | null) =>
    renderBug({ ...lostUpdate, bug: { ...lostUpdate.bug, fix } }, context)
      .join(' ')
      .replace(/\s+/g, ' ');
  assert.match(told(null), /Advice, not tried: keep ① to ③ atomic/);
  assert.match(told('1/3'), /Helps in part: keep ① to ③ atomic/);
  assert.match(told('3/3'), /Fix: keep ① to ③ atomic/);
});

test('of steps that read alike those are meant that are next to each other', () => {
  const answer = (task: string): StepRow => ({ task, what: 'fs.close seed', site: null, kind: 'deliver' });
  const [a, b] = [answer('emit'), answer('off')];
  const failing = [a, ...Array.from({ length: 12 }, () => answer('other')), b, { ...a }];
  const counterfactual = {
    step: 'off: fs.close seed answers',
    now: 'after' as const,
    anchor: 'emit: fs.close seed answers',
    block: false,
    passed: '3/3',
  };
  const view = {
    ...lostUpdate,
    cutPoint: null,
    failing,
    natural: failing,
    bug: bugOf(null, { counterfactual }),
  };
  const rows = renderBug(view, context).filter((line) => /^ +\d+ +│/.test(line));
  assert.deepEqual(
    rows.map((line) => line.trim().split(' ')[0]),
    ['14', '15'],
  );
});
