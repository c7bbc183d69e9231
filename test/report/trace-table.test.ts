/** A run event by event. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderReplay } from '../../report/replay.ts';
import { makeStyle } from '../../report/style.ts';
import { renderTrace, traceRows } from '../../report/trace-table.ts';
import { TraceBuilder } from '../predictor/trace-builder.ts';

function deposit(tasks: readonly string[]) {
  const b = new TraceBuilder();
  const all = tasks.map((name) => b.activation(name));
  const requests = all.map((task) => {
    b.begin(task);
    b.acquire('mutex');
    b.read('Account#balance');
    b.release('mutex');
    return b.issue('pool', `root.${task}|fs.stat#1`);
  });
  for (const [at, request] of requests.entries()) {
    b.effect(request);
    b.begin(all[at]!, b.deliver(request));
    b.write('Account#balance');
  }
  return b.build();
}
const style = makeStyle(false, 100);

test('each event is a line in the column of its task, and a turn is marked', () => {
  const lines = renderTrace(traceRows(deposit(['alice', 'bob'])), style);
  assert.deepEqual(lines.slice(0, 3), ['task 1: alice', 'task 2: bob', '']);
  const found = (what: string): (string | undefined)[] =>
    lines
      .filter((line) => line.includes(what))
      .map((line) => /^ *\d+ ( {2}[·12] {2}[·12]) {2}/.exec(line)?.[1]);
  const each = ['  1  ·', '  ·  2'];
  for (const what of [
    'takes mutex',
    'reads Account#balance',
    'gives back mutex',
    'asks for pool',
    'writes Account#balance',
  ])
    assert.deepEqual(found(what), each, what);
  assert.deepEqual(found('takes effect'), each);
  assert.deepEqual(found('→ pool'), each);
  assert.match(lines.at(-1)!, /^14 events of 2 tasks/);
});

test('of more tasks than there are columns each line names its own', () => {
  const many = Array.from({ length: 11 }, (_, n) => `t${n}`);
  const lines = renderTrace(traceRows(deposit(many)), style);
  assert.equal(lines.filter((line) => /(?: {2}·){9} {4}t10: reads Account#balance/.test(line)).length, 1);
  assert.ok(lines.includes('and 2 more, named in their lines'));
});

test('a replay shows it, or says that it could not be recorded', () => {
  const context = { style, read: () => null, cwd: '/' };
  const view = { id: 'b1', runs: [{ outcome: 'passed' as const, detail: null }], witness: null, bug: null };
  const trace = { outcome: 'pass' as const, rows: traceRows(deposit(['alice'])) };
  const told = renderReplay({ ...view, trace }, context);
  assert.match(told, /once more, recorded; it passed:[\s\S]*7 events of 1 task;/);
  assert.match(renderReplay({ ...view, trace: null }, context), /could not be recorded/);
  assert.doesNotMatch(renderReplay(view, context), /event/);
  const [row] = trace.rows;
  const long = { ...trace, rows: new Array(150_000).fill(row) };
  assert.match(renderReplay({ ...view, trace: long }, context), /150,?000 events of 1 task/);
});
