import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '../../../data/prediction.ts';
import type { RunResult, StrategySpec } from '../../../data/run.ts';
import { confirm } from '../../../rescheduler/investigate/confirm.ts';
import { nextPrefix } from '../../../rescheduler/investigate/enumeration.ts';
import {
  type Executor,
  type InvestigateOptions,
  type Investigation,
  investigate as investigateOrders,
} from '../../../rescheduler/investigate/investigate.ts';
import { LoopOrders, type LoopSearch } from '../../../rescheduler/investigate/loop-orders.ts';
import { minimise } from '../../../rescheduler/investigate/minimise.ts';

const base: RunResult = {
  outcome: 'pass',
  followed: null,
  patternSeen: false,
  failure: null,
  steps: ['a', 'b', 'c'],
  breadth: 0,
  requiredStallMs: 0,
  requiredPauseMs: 0,
  late: [],
  traceHash: '',
  divergence: null,
  waits: [],
  ungated: {},
  durationMs: 1,
};
const failure = (message: string): RunResult => ({
  ...base,
  outcome: 'fail',
  followed: 'followed',
  patternSeen: true,
  failure: { kind: 'assertion', name: 'AssertionError', message, stack: '', fingerprint: message },
});
const schedule = (id: string, steps: string[]): Schedule => ({
  id,
  cutPoint: null,
  steps,
  moves: 1,
  switches: 1,
  stallMs: 0,
});
const options = {
  maxSchedules: 50,
  maxTimeMs: 60_000,
  confirm: 3,
  seed: 1,
  strategy: 'directed' as const,
};
const investigate = (
  executor: Executor,
  natural: readonly string[],
  prediction: ConstructorParameters<typeof LoopOrders>[1],
  how: InvestigateOptions & LoopSearch,
): Promise<Investigation> => investigateOrders(executor, new LoopOrders(natural, prediction, how), how);
const isForced = (spec: StrategySpec): boolean => spec.kind === 'directed';

test('a failure that fresh processes repeat, with a passing control, is confirmed', async () => {
  const fresh: string[] = [];
  const run = async (spec: StrategySpec): Promise<RunResult> => (isForced(spec) ? failure('lost') : base);
  const executor = {
    execute: run,
    executeFresh: async (spec: StrategySpec) => {
      fresh.push(spec.kind);
      return run(spec);
    },
  };
  const { findings, verdicts } = await investigate(
    executor,
    base.steps,
    { cutPoints: [], schedules: [schedule('s1', ['b', 'a'])] },
    options,
  );
  assert.equal(verdicts.get('s1'), 'confirmed');
  assert.equal(findings.length, 1);
  assert.equal(findings[0]?.schedulesUntilFound, 1);
  // Leftovers of one would show in the other, and what comes every second time in either.
  assert.deepEqual(fresh, ['directed', 'observed', 'observed', 'directed', 'directed', 'observed']);
});

test('a failure whose control fails too is no bug', async () => {
  const executor = { execute: async () => failure('x'), executeFresh: async () => failure('x') };
  const { findings, verdicts } = await investigate(
    executor,
    base.steps,
    { cutPoints: [], schedules: [schedule('s1', ['b'])] },
    { ...options, maxSchedules: 1 },
  );
  assert.equal(findings.length, 0);
  assert.equal(verdicts.get('s1'), 'unknown');
});

test('another error in the fresh process is no confirmation', async () => {
  const { confirmed, reason } = await confirm(
    async () => failure('b'),
    { kind: 'random', seed: 1 },
    failure('a'),
    3,
  );
  assert.equal(confirmed, false);
  assert.match(reason ?? '', /did not fail alike/);
});

test('what fails every second or third time, whatever is forced, is no bug', async () => {
  for (const period of [2, 3]) {
    let ran = 0;
    const run = async () => ((ran += 1) % period === 1 ? failure('x') : base);
    const { confirmed } = await confirm(run, { kind: 'random', seed: 1 }, failure('x'), 3);
    assert.equal(confirmed, false, `every ${period}`);
  }
});

test('a second order of the same failure is a variant, not a second bug', async () => {
  const run = async (spec: StrategySpec): Promise<RunResult> => (isForced(spec) ? failure('lost') : base);
  const { findings, verdicts } = await investigate(
    { execute: run, executeFresh: run },
    base.steps,
    { cutPoints: [], schedules: [schedule('s1', ['b']), schedule('s2', ['c'])] },
    options,
  );
  assert.equal(findings.length, 1);
  assert.equal(verdicts.get('s2'), 'confirmed');
});

test('a failure that an earlier command confirmed is not met anew', async () => {
  const run = async (spec: StrategySpec): Promise<RunResult> => (isForced(spec) ? failure('lost') : base);
  const { findings, verdicts } = await investigate(
    { execute: run, executeFresh: run },
    base.steps,
    { cutPoints: [], schedules: [schedule('s2', ['c'])] },
    { ...options, confirmed: new Map([['lost', 'race']]) },
  );
  assert.deepEqual(findings, []);
  assert.equal(verdicts.get('s2'), 'confirmed');
});

test('a failure that is no race ends no search for one', async () => {
  const searched = async (kind: 'race' | 'timing', isKnown = false): Promise<number> => {
    let ran = 0;
    let byPriority = 0;
    const run = async (spec: StrategySpec): Promise<RunResult> => {
      if (spec.kind === 'random' && spec.by === 'pct') byPriority += 1;
      return isForced(spec) ? failure('slow') : { ...base, steps: [`s${(ran += 1)}`], breadth: 20 };
    };
    const prediction = { cutPoints: [], schedules: [schedule('s1', ['c'])] };
    const told = isKnown ? { confirmed: new Map([['slow', kind]]) } : { found: async () => kind };
    await investigate({ execute: run, executeFresh: run }, base.steps, prediction, { ...options, ...told });
    return byPriority;
  };
  for (const isKnown of [false, true]) {
    assert.ok((await searched('timing', isKnown)) > 0);
    assert.equal(await searched('race', isKnown), 0);
  }
});

test('the budget ends the test and says what is left', async () => {
  const run = async (): Promise<RunResult> => base;
  const { ended, forced } = await investigate(
    { execute: run, executeFresh: run },
    base.steps,
    { cutPoints: [], schedules: ['1', '2', '3'].map((id) => schedule(id, ['b'])) },
    { ...options, maxSchedules: 2 },
  );
  assert.equal(forced, 2);
  assert.deepEqual(ended, { left: 1, limit: '2 schedules' });
});

test('a failing order is reduced to what makes it fail', async () => {
  const natural = ['a', 'b', 'c', 'd', 'e', 'f'];
  const runs = { n: 0 };
  // Fails whenever c comes before b; the rest is noise.
  const fails = async (steps: readonly string[]): Promise<boolean> => {
    runs.n += 1;
    const full = [...steps, ...natural.filter((s) => !steps.includes(s))];
    return full.indexOf('c') < full.indexOf('b');
  };
  const steps = await minimise(['e', 'a', 'c', 'f', 'b', 'd'], natural, fails);
  assert.deepEqual(steps, ['a', 'c']);
  assert.ok(runs.n <= 61);
});

test('many steps that moved for nothing are put back together', async () => {
  const natural = Array.from({ length: 40 }, (_, at) => `s${at}`);
  const runs = { n: 0 };
  const fails = async (steps: readonly string[]): Promise<boolean> => {
    runs.n += 1;
    const full = [...steps, ...natural.filter((s) => !steps.includes(s))];
    return full.indexOf('s30') < full.indexOf('s10');
  };
  // Backwards but for the two that matter in the end.
  const steps = await minimise(natural.toReversed(), natural, fails);
  const moved = steps.filter((step) => step !== natural[steps.indexOf(step)]);
  assert.ok(steps.includes('s30') && !steps.includes('s10'));
  assert.ok(moved.length <= 3, steps.join(' '));
  assert.ok(runs.n <= 60);
});

test('a predicted order is made smaller, too', async () => {
  const natural = ['a', 'b', 'c', 'd', 'e'];
  const run = async (spec: StrategySpec): Promise<RunResult> => {
    const steps = spec.kind === 'directed' ? spec.schedule.steps : [];
    const full = [...steps, ...natural.filter((s) => !steps.includes(s))];
    const isFailing = full.indexOf('d') < full.indexOf('c');
    return isFailing ? { ...failure('lost'), steps: full } : { ...base, steps: full };
  };
  const { findings } = await investigate(
    { execute: run, executeFresh: run },
    natural,
    { cutPoints: [], schedules: [schedule('1', ['b', 'a', 'd', 'e', 'c'])] },
    options,
  );
  assert.deepEqual(findings[0]?.steps, ['a', 'b', 'd']);
});

test('depth-first enumeration visits every order once', () => {
  // Three independent steps: six orders.
  const all = new Set<string>();
  let prefix: readonly string[] | null = [];
  while (prefix !== null) {
    const steps: string[] = [];
    const choices: string[][] = [];
    while (steps.length < 3) {
      const open = ['a', 'b', 'c'].filter((s) => !steps.includes(s));
      choices.push(open);
      steps.push(prefix[steps.length] ?? (open[0] as string));
    }
    all.add(steps.join(''));
    prefix = nextPrefix({ ...base, steps, choices });
  }
  assert.equal(all.size, 6);
});

/** A program of three independent steps: six orders. */
function threeSteps(spec: StrategySpec): RunResult {
  const wanted = spec.kind === 'prefix' ? spec.prefix : [];
  const steps: string[] = [];
  const choices: string[][] = [];
  while (steps.length < 3) {
    const open = ['a', 'b', 'c'].filter((s) => !steps.includes(s));
    choices.push(open);
    steps.push(wanted[steps.length] ?? (open[0] as string));
  }
  return { ...base, steps, choices, breadth: Math.log(6) };
}

test('a small test in which nothing fails has all of its orders executed', async () => {
  const run = async (spec: StrategySpec): Promise<RunResult> => threeSteps(spec);
  const executor = { execute: run, executeFresh: run };
  const none = { cutPoints: [], schedules: [] };
  const { orders, verdicts } = await investigate(executor, base.steps, none, options);
  assert.deepEqual(orders, { count: 6, all: true });
  assert.equal([...verdicts.keys()].filter((id) => id.startsWith('dfs-')).length, 6);
  const short = await investigate(executor, base.steps, none, { ...options, maxSchedules: 14 });
  assert.equal(short.orders?.all, false, 'three schedules are left after the random ones');
  assert.ok(Math.abs((short.orders?.count ?? 0) - 6) < 1e-9);
});

test('where few orders are expected each is executed once, and none by chance', async () => {
  const run = async (spec: StrategySpec): Promise<RunResult> => threeSteps(spec);
  const executor = { execute: run, executeFresh: run };
  const none = { cutPoints: [], schedules: [] };
  const told = await investigate(executor, base.steps, none, { ...options, expected: 6 });
  assert.deepEqual(told.orders, { count: 6, all: true });
  assert.equal(told.forced, 6);
});

test('an estimate of few that is wrong costs a few runs, and the enumeration goes on where it was', async () => {
  const met: string[] = [];
  const run = async (spec: StrategySpec): Promise<RunResult> => {
    const result = threeSteps(spec);
    if (spec.kind === 'prefix') met.push(result.steps.join(''));
    return result;
  };
  const executor = { execute: run, executeFresh: run };
  const none = { cutPoints: [], schedules: [] };
  const cut = await investigate(executor, base.steps, none, { ...options, maxSchedules: 4, expected: 6 });
  assert.equal(cut.orders, null);
  const whole = await investigate(executor, base.steps, none, { ...options, expected: -3 });
  assert.deepEqual(whole.orders, { count: 6, all: true });
  assert.equal(new Set(met.slice(4)).size, met.length - 4, 'no order is executed twice');
});

test('an estimate by chance that is far too low does not take the whole budget', async () => {
  const names = [...'abcdefgh'];
  let n = 0;
  const run = async (spec: StrategySpec): Promise<RunResult> => {
    const steps = spec.kind === 'prefix' ? [...spec.prefix] : [`${n++}`];
    const choices: string[][] = steps.map(() => names);
    for (const name of names.slice(steps.length)) choices.push(names) && steps.push(name);
    return { ...base, steps, choices, breadth: Math.log(2) };
  };
  const none = { cutPoints: [], schedules: [] };
  const told = await investigate({ execute: run, executeFresh: run }, base.steps, none, options);
  const enumerated = [...told.verdicts.keys()].filter((id) => id.startsWith('dfs-')).length;
  assert.equal(enumerated, 12);
  assert.deepEqual(told.orders, { count: 12, all: false }, 'there are as many at least as were executed');
});

test('more orders than a number can be are still counted by one', async () => {
  let n = 0;
  const run = async (): Promise<RunResult> => ({ ...base, steps: [`${n++}`], breadth: 1000 });
  const none = { cutPoints: [], schedules: [] };
  const { orders } = await investigate({ execute: run, executeFresh: run }, base.steps, none, options);
  assert.deepEqual(orders, { count: Number.MAX_VALUE, all: false });
});

test('a search by chance that meets nothing new is over', async () => {
  const run = async (): Promise<RunResult> => ({ ...base, breadth: 20 });
  const none = { cutPoints: [], schedules: [] };
  const { forced } = await investigate({ execute: run, executeFresh: run }, base.steps, none, options);
  assert.ok(forced < 25, `${forced} runs of one order`);
});

test('a run that the budget ends is left, and what was found before it counts', async () => {
  const ended = new AbortController();
  let runs = 0;
  const run = async (spec: StrategySpec): Promise<RunResult> => {
    if (++runs > 20) {
      ended.abort();
      throw new Error('killed');
    }
    return isForced(spec) && runs < 10 ? failure('lost') : base;
  };
  const told = await investigate(
    { execute: run, executeFresh: run },
    base.steps,
    { cutPoints: [], schedules: Array.from({ length: 30 }, (_, i) => schedule(`s${i}`, ['b'])) },
    { ...options, signal: ended.signal },
  );
  assert.equal(told.findings.length, 1);
  assert.equal(told.ended?.limit, 'interrupted');
  assert.ok((told.ended?.left ?? 0) > 0);
});

test('what ran along another order, or beside the gate, is no enumeration', async () => {
  const none = { cutPoints: [], schedules: [] };
  const strays = [
    { ungated: { 'net.connect': 1 } },
    { outcome: 'unknown' as const },
    { paced: true as const },
  ];
  for (const more of strays) {
    const run = async (spec: StrategySpec): Promise<RunResult> => ({ ...threeSteps(spec), ...more });
    const { orders } = await investigate({ execute: run, executeFresh: run }, base.steps, none, options);
    assert.equal(orders?.all, false);
  }
});

test('a search that meets orders without an end only is soon over, and says so', async () => {
  const hung = {
    ...base,
    outcome: 'unknown',
    failure: { ...failure('x').failure!, kind: 'timeout' },
  } as const;
  let runs = 0;
  const execute = async (): Promise<RunResult> => ({ ...hung, steps: [`${runs++}`] });
  const { ended, findings } = await investigate(
    { execute, executeFresh: execute },
    base.steps,
    { cutPoints: [], schedules: [] },
    options,
  );
  assert.deepEqual(findings, []);
  assert.equal(runs, 4);
  assert.deepEqual(ended, { left: 0, limit: 'orders that do not end' });
});

test('each refutation of a failure asks for more proof of the next one', async () => {
  // Chance at its worst: the orders before it were refuted, and then it fails and passes as if the order made it.
  const refuted = 4;
  let judged = 0;
  const pairs: number[] = [];
  const executor: Executor = {
    execute: async (spec) => (spec.kind === 'directed' ? failure('by chance') : base),
    executeFresh: async (spec) => {
      if (!isForced(spec)) return base;
      pairs[judged] = (pairs[judged] ?? 0) + 1;
      return judged < refuted ? base : failure('by chance');
    },
  };
  const schedules = Array.from({ length: refuted + 1 }, (_, n) => schedule(`s${n}`, ['b', 'a']));
  const { findings, verdicts } = await investigate(
    executor,
    base.steps,
    { cutPoints: [], schedules },
    { ...options, maxSchedules: schedules.length, judged: () => (judged += 1) },
  );
  assert.deepEqual([...verdicts.values()], ['unknown', 'unknown', 'unknown', 'unknown', 'confirmed']);
  assert.deepEqual(pairs, [1, 1, 1, 1, options.confirm + refuted]);
  assert.equal(findings[0]?.confirmation.times, options.confirm + refuted);
});

test('a thorough search goes on by chance until something fails, nothing new comes, or chance makes it fail', async () => {
  const thorough = { ...options, maxSchedules: 2000, strategy: 'directed' as const, isThorough: true };
  let ran = 0;
  const orders = (from: number): RunResult => ({ ...base, steps: [`s${Math.min(ran, from)}`], breadth: 20 });
  const searching = (last: (n: number) => RunResult): Executor => ({
    execute: async () => last((ran += 1)),
    executeFresh: async () => base,
  });
  const nothing = { cutPoints: [], schedules: [] };
  const short = await investigate(
    searching(() => orders(Number.POSITIVE_INFINITY)),
    base.steps,
    nothing,
    {
      ...thorough,
      isThorough: false,
    },
  );
  assert.ok(short.forced < 100, `${short.forced}`);
  ran = 0;
  const all = await investigate(
    searching(() => orders(Number.POSITIVE_INFINITY)),
    base.steps,
    nothing,
    thorough,
  );
  assert.equal(all.ended?.limit, '2000 schedules');
  ran = 0;
  const stale = await investigate(
    searching(() => orders(150)),
    base.steps,
    nothing,
    thorough,
  );
  assert.ok(stale.forced < 600 && stale.ended === null, `${stale.forced}`);
  ran = 0;
  const chance = await investigate(
    searching((n) => (n % 4 === 0 ? failure('by chance') : orders(Number.POSITIVE_INFINITY))),
    base.steps,
    nothing,
    thorough,
  );
  assert.ok(chance.forced < 200 && chance.findings.length === 0, `${chance.forced}`);
});
