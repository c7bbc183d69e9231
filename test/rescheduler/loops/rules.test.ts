/**
 * Each rule of threads is needed. Waits end by rules of our own: without one a program that never fails in real Node is
 * reported. What orders threads (locks, starts, ends, messages, notifications, barriers) the program itself enforces:
 * without it nothing false is reported, but orders are predicted that cannot be followed.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ThreadCutPoint } from '../../../data/threads/cut-point.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';
import type { ThreadRule } from '../../../rescheduler/tokens/control.ts';
import type { ThreadReply, ThreadSpec } from '../../../rescheduler/tokens/protocol.ts';
import { temporary } from '../../temporary.ts';
import { Bundled } from '../tokens/bundled.ts';

const HARNESSES = new URL('../tokens/fixtures/rules.ts', import.meta.url);
const PROJECT = fileURLToPath(new URL('../../projects/workers', import.meta.url));
const dir = temporary('unweave-thread-rules');
const config = { ...defaultConfig(PROJECT), cacheDir: join(dir, 'cache') };
const bundled = new Bundled();
after(async () => {
  await bundled.close();
  rmSync(dir, { recursive: true, force: true });
});

type Run = (spec: ThreadSpec) => Promise<ThreadReply>;

const harness =
  (name: string): Run =>
  (spec) =>
    bundled.run(HARNESSES, name, spec, true);

function program(file: string): Run {
  const argv = [join(PROJECT, file)];
  const recipe = { execPath: process.execPath, execArgv: [], argv, cwd: PROJECT, runner: false, env: {} };
  const subject = new ProgramSubject(recipe, null, null, config);
  return (spec) => subject.execute(spec, { watchdogMs: 60_000 }, true);
}

describe('without a rule of waiting a program fails that never does', () => {
  // The others are about event loops under the gate: see necessity.test.ts.
  const needed = {
    patience: harness('patience'),
    deadlines: harness('deadlines'),
    waiters: program('fifo.js'),
  } satisfies Partial<Record<ThreadRule, Run>>;
  for (const [rule, run] of Object.entries(needed) as [keyof typeof needed, Run][])
    it(rule, async () => {
      for (const spec of [{ kind: 'observed' }, { kind: 'random', seed: 1 }] as const)
        assert.equal((await run(spec)).ran.outcome, 'pass');
      assert.equal((await run({ kind: 'observed', without: [rule] })).ran.outcome, 'fail');
    });
});

/** The trace in which some operations order nothing. Arrivals at a barrier that nobody leaves do not. */
function blurred({ events, names }: ThreadTrace, ops: readonly Op[]): ThreadTrace {
  const isBlurred = (op: number): boolean => ops.includes(op as Op);
  return {
    names: { ...names, channels: [...names.channels, 'nothing'] },
    events: {
      ...events,
      op: events.op.map((op) => (isBlurred(op) ? Op.Arrive : op)),
      object: events.object.map((object, at) => (isBlurred(events.op[at]!) ? names.channels.length : object)),
    },
  };
}

const cutPoints = (trace: ThreadTrace): ThreadCutPoint[] =>
  forcibleCutPoints(trace, newTally()).filter(({ pattern }) => pattern !== 'RRW');
const keyOf = ({ first, pattern, remote, second }: ThreadCutPoint): string =>
  [pattern, first, remote, second].join();
/** Schedules that are forced of those that should not be: each costs real time. */
const TRIED = 2;

describe('without what orders threads, orders are predicted that the program does not take', () => {
  const needed: Readonly<Record<string, readonly [Run, readonly Op[]]>> = {
    lock: [harness('lock'), [Op.Acquire, Op.Release]],
    notification: [harness('notification'), [Op.Send, Op.Receive]],
    barrier: [harness('barrier'), [Op.Arrive, Op.Leave]],
    start: [program('start.js'), [Op.Fork]],
    end: [program('join.js'), [Op.Join]],
    message: [program('ordered.js'), [Op.Send, Op.Receive]],
  };
  for (const [what, [run, ops]] of Object.entries(needed))
    it(what, async () => {
      const { ran, trace } = await run({ kind: 'observed' });
      assert.equal(ran.outcome, 'pass');
      const known = new Set(cutPoints(trace!).map(keyOf));
      const other = blurred(trace!, ops);
      const predicted = cutPoints(other).filter((cutPoint) => !known.has(keyOf(cutPoint)));
      assert.ok(predicted.length > 0);
      for (const cutPoint of predicted.slice(0, TRIED)) {
        const schedule = { ...forced(other, cutPoint), expected: null };
        const again = (await run({ kind: 'directed', schedule })).ran;
        assert.notEqual(again.followed, 'followed');
        assert.deepEqual([again.outcome, again.failure], ['pass', null]);
      }
    });
});
