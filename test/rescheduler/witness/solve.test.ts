import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trace } from '../../../data/trace.ts';
import type { PlannedRequest, WitnessPlan } from '../../../rescheduler/witness/plan.ts';
import { solve as solveTrace } from '../../../rescheduler/witness/solve.ts';
import { TraceBuilder } from '../../predictor/trace-builder.ts';

/** The builder knows kinds only: what the pool does are file operations. */
const solve = (trace: Trace) =>
  solveTrace({
    ...trace,
    requests: trace.requests.map((r) => (r.kind === 'pool' ? { ...r, api: 'fs.stat' } : r)),
  });

const find = ({ requests }: WitnessPlan, what: string): PlannedRequest => {
  const found = requests.find((request) => request.what === what);
  assert.ok(found, what);
  return found;
};

test('file requests take effect and are answered in the failing order', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [a, b] = [t.issue('pool', 'a'), t.issue('pool', 'b')];
  t.effect(b);
  t.effect(a);
  t.deliver(b);
  t.deliver(a);
  const { plan, missed } = solve(t.build());
  const [first, second] = [find(plan, 'a'), find(plan, 'b')];
  assert.equal(missed, 0);
  assert.deepEqual([second.effects[0]?.index, first.effects[0]?.index], [0, 1]);
  assert.deepEqual([second.deliver.index, first.deliver.index], [2, 3]);
  const times = [second.effects[0]!.at, first.effects[0]!.at, second.deliver.at, first.deliver.at];
  assert.deepEqual(
    times,
    [...times].sort((x, y) => x - y),
  );
});

test('what takes effect within the turn that asks does so behind the call that came before', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const first = t.issue('pool', 'first');
  const second = t.issue('pool', 'second');
  t.effect(first);
  const third = t.issue('pool', 'third');
  t.effect(second);
  t.deliver(first);
  t.deliver(second);
  t.effect(third);
  t.deliver(third);
  const { plan } = solve(t.build());
  assert.deepEqual(
    ['first', 'second', 'third'].map((what) => find(plan, what).within),
    [undefined, [0], undefined],
  );
});

test('an answer behind a timer waits until the timer has fired, one before it does not', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const timer = t.issue('timer', 'timer', 50);
  const [early, late] = [t.issue('pool', 'early'), t.issue('pool', 'late')];
  t.effect(early);
  t.deliver(early);
  t.effect(late);
  t.deliver(timer);
  t.deliver(late);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  assert.ok(find(plan, 'early').deliver.at < 40);
  assert.ok(find(plan, 'late').effects[0]!.at < 40);
  assert.ok(find(plan, 'late').deliver.at > 50);
});

test('what started a timer is put off, where the timer would come too early', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const other = t.issue('timer', 'other', 30);
  const read = t.issue('pool', 'read');
  t.effect(read);
  t.deliver(read);
  const started = t.issue('timer', 'started', 5);
  t.deliver(other);
  t.deliver(started);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  const { at } = find(plan, 'read').deliver;
  assert.ok(at > 25 && at < 30, `answered at ${at}, so that 5 ms later is after 30 ms`);
});

test('where a timer started it, only a pause of the process puts it off', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const long = t.issue('timer', 'long', 30);
  const first = t.issue('timer', 'first', 5);
  t.deliver(first);
  const second = t.issue('timer', 'second', 5);
  t.deliver(long);
  t.deliver(second);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  const [pause] = plan.stretches;
  assert.equal(plan.stretches.length, 1);
  assert.ok(pause!.stands && pause!.at <= 5 && pause!.rounds[0]!.until! > 25, JSON.stringify(pause));
});

test('timers of one turn fire against their delays where the turn stands still between their starts', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const long = t.issue('timer', 'long', 20);
  const short = t.issue('timer', 'short', 5);
  t.deliver(long);
  t.deliver(short);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  const [pause] = plan.pauses;
  assert.equal(plan.pauses.length, 1);
  assert.deepEqual([pause!.delay, pause!.nth], [5, 0]);
  assert.ok(pause!.until > 15, `started at ${pause!.until}, so that 5 ms later is after 20 ms`);
});

test('a timer that is taken back is not due before that', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const other = t.issue('timer', 'other', 50);
  const read = t.issue('pool', 'read');
  const out = t.issue('timer', 'out', 30);
  t.effect(read);
  t.deliver(other);
  t.deliver(read);
  t.takeBack(out);
  t.deliver(t.issue('timer', 'after', 40));
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  const [pause] = plan.pauses;
  assert.deepEqual([pause?.delay, pause?.nth, plan.pauses.length], [30, 0, 1]);
  assert.ok(pause!.until > find(plan, 'read').deliver.at - 30 && pause!.until < 50, `${pause!.until}`);
});

test('timers of one list that are due together are late together', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const long = t.issue('timer', 'long', 30);
  const [first, second] = [t.issue('timer', 'first', 5), t.issue('timer', 'second', 5)];
  t.deliver(first);
  t.deliver(second);
  const third = t.issue('timer', 'third', 5);
  t.deliver(long);
  t.deliver(third);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  assert.deepEqual(
    plan.stretches.map(({ index, stands }) => [index, stands]),
    [[0, true]],
  );
});

test('a timer that is due when the turn before has stood still is not late: the next one is', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const first = t.issue('timer', 'first', 50);
  const long = t.issue('timer', 'long', 200);
  const short = t.issue('timer', 'short', 150);
  t.deliver(first);
  const second = t.issue('timer', 'second', 50);
  t.deliver(second);
  const third = t.issue('timer', 'third', 50);
  t.deliver(long);
  t.deliver(short);
  t.deliver(third);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  assert.ok(plan.pauses[0]!.until > 50 && plan.pauses[0]!.until < 100, JSON.stringify(plan.pauses));
  assert.deepEqual(
    plan.stretches.map(({ index, stands }) => [index, stands]),
    [[1, true]],
  );
});

test('what becomes due while a turn stands still comes right behind that turn', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [before, start] = [t.issue('timer', 'before', 50), t.issue('pool', 'start')];
  t.effect(start);
  t.deliver(start);
  const [long, short] = [t.issue('timer', 'long', 100), t.issue('timer', 'short', 5)];
  t.deliver(before);
  t.deliver(long);
  t.deliver(short);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  assert.ok(find(plan, 'start').deliver.at < 50);
  assert.ok(plan.pauses[0]!.until > 95, JSON.stringify(plan.pauses));
});

test('what is due while the process stands still in the first of several answers comes behind them all', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const early = t.issue('timer', 'early', 50);
  const jobs = ['a', 'b', 'c'].map((name) => t.issue('pool', name));
  for (const job of jobs) t.effect(job);
  t.deliver(jobs[0]!);
  const long = t.issue('timer', 'long', 200);
  t.deliver(jobs[1]!);
  const short = t.issue('timer', 'short', 100);
  t.deliver(jobs[2]!);
  for (const timer of [early, long, short]) t.deliver(timer);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  const [pause] = plan.pauses;
  assert.ok(pause!.delay === 100 && pause!.until > 100, JSON.stringify(plan.pauses));
  const [stretch] = plan.stretches;
  assert.deepEqual([stretch?.index, stretch?.rounds[0]?.answers], [4, [[4], [5]]]);
});

test('what the kernel does between two timers of one phase does not keep them apart', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [one, two] = [t.issue('timer', 'one', 50), t.issue('timer', 'two', 50)];
  const job = t.issue('pool', 'job');
  t.deliver(one);
  const check = t.issue('immediate', 'check');
  t.effect(job);
  for (const request of [two, check, job]) t.deliver(request);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  assert.deepEqual(plan.pauses, []);
});

test('one timers phase runs a list as far as it is due before the next one', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [head, other, early] = [50, 60, 20].map((delay) => t.issue('timer', String(delay), delay));
  const start = t.issue('pool', 'start');
  t.deliver(early!);
  t.effect(start);
  t.deliver(start);
  const second = t.issue('timer', 'second', 50);
  for (const timer of [head, second, other]) t.deliver(timer!);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  const pause = plan.stretches.find(({ stands }) => stands);
  const due = find(plan, 'start').deliver.at + 50;
  assert.ok(pause!.at < 50 && pause!.rounds[0]!.until! > due, JSON.stringify(pause));
  const { begin, end } = pause!.alarms!;
  assert.deepEqual([begin.delay, begin.nth, end.delay, end.nth], [50, 0, 50, 1]);
});

test('what was started first is due first, however long the turn takes', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const short = t.issue('timer', 'short', 5);
  const long = t.issue('timer', 'long', 20);
  t.deliver(long);
  t.deliver(short);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 1);
  assert.deepEqual(plan.pauses, []);
});

test('what nobody sees may happen between timers that fire together', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [one, two] = [t.issue('timer', 'one', 20), t.issue('timer', 'two', 20)];
  const job = t.issue('pool', 'job');
  t.deliver(one);
  t.effect(job);
  t.deliver(two);
  t.deliver(job);
  assert.deepEqual(solveTrace(t.build()).plan.pauses, []);
  assert.equal(solve(t.build()).plan.pauses.length, 1);
});

test('an answer between two timers of one turn and one delay needs a turn that stands still, not more', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [start, between] = [t.issue('pool', 'start'), t.issue('pool', 'between')];
  t.effect(start);
  t.deliver(start);
  const [one, two] = [t.issue('timer', 'one', 20), t.issue('timer', 'two', 20)];
  t.effect(between);
  t.deliver(one);
  t.deliver(between);
  t.deliver(two);
  const { plan, missed } = solve(t.build());
  assert.equal(missed, 0);
  assert.equal(plan.pauses.length, 1);
  assert.ok(find(plan, 'between').deliver.at < 2000, `answered at ${find(plan, 'between').deliver.at}`);
});

test('what the run did not wait for does not happen before its end', () => {
  const t = new TraceBuilder();
  t.begin(0);
  t.issue('pool', 'left');
  const read = t.issue('pool', 'read');
  t.effect(read);
  t.deliver(read);
  const { plan } = solve(t.build());
  const last = find(plan, 'read').deliver;
  for (const step of [...find(plan, 'left').effects, find(plan, 'left').deliver]) {
    assert.ok(step.index > last.index);
    assert.ok(step.at > last.at);
  }
});

test('news that were taken back are not told before that', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const news = t.issue('external', 'news');
  const read = t.issue('pool', 'read');
  t.effect(read);
  t.deliver(read);
  t.takeBack(news);
  const trace = t.build();
  const requests = trace.requests.map((r) => (r.kind === 'external' ? { ...r, api: 'net.accept' } : r));
  const { plan } = solve({ ...trace, requests });
  assert.ok(find(plan, 'news').deliver.index > find(plan, 'read').deliver.index);
});

test('what would have to be late and cannot is named', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const timer = t.issue('timer', 'timer', 50);
  const [quick, slow] = [t.issue('external', 'quick'), t.issue('external', 'slow')];
  t.deliver(quick);
  t.deliver(timer);
  assert.deepEqual(solve(t.build()).unheld, []);
  t.deliver(slow);
  assert.deepEqual(solve(t.build()).unheld, ['external']);
});

test('a long chain of timers is solved', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const long = t.issue('timer', 'long', 20_000);
  let last = t.issue('timer', 'tick', 1);
  for (let i = 0; i < 20_000; i++) {
    t.deliver(last);
    last = t.issue('timer', `tick ${i}`, 1);
  }
  t.deliver(long);
  t.deliver(last);
  assert.ok(solve(t.build()).plan.stretches.length <= 1);
});
