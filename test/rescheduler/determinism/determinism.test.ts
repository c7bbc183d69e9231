/**
 * One schedule, one run: ten schedules of at least fifty steps, each forced many times, some of them while
 * the machine is busy. Controllers that are broken on purpose show that a difference would be seen.
 */

import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { RunResult, StrategySpec } from '../../../data/run.ts';
import type { ReadyStep, Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { discoverHarnesses } from '../../../rescheduler/subjects/discover.ts';
import type { Subject } from '../../../rescheduler/subjects/protocol.ts';
import { extent } from '../../extent.ts';
import { gated } from '../gate/support.ts';
import { fixedProject, options } from '../subjects/projects.ts';
import { whileBurning } from './burners.ts';

const TIMES = extent(20, 100);
/** Every fifth of these is recorded as well: its hash is that of the accesses, too. */
const RECORDED = 5;
/** Of these; where a run leans on real time, a few of ten programs show it. */
const BUSY_TIMES = 10;
const LEAST_STEPS = 50;

/** Everything that a run says except how long it took and where its temporary folder was. */
function saying({ durationMs: _, failure, late, ...result }: RunResult): string {
  return JSON.stringify({ ...result, failure: failure?.fingerprint, late: late.map(({ ms }) => ms) });
}

/** How a schedule is chosen for each program, and how it ends. */
const SCHEDULES: Record<string, ['random' | 'directed', RunResult['outcome']]> = {
  timers: ['random', 'pass'],
  'intervals and cancelled timers': ['directed', 'pass'],
  immediates: ['random', 'pass'],
  'reads and writes': ['directed', 'pass'],
  'folders and renames': ['random', 'pass'],
  streams: ['directed', 'pass'],
  locks: ['random', 'pass'],
  mixed: ['random', 'pass'],
  'a lost update at the end': ['directed', 'fail'],
  'a deadlock at the end': ['directed', 'deadlock'],
};

describe('the same schedule is the same run', () => {
  const subjects = new Map<string, Subject>();
  const specs = new Map<string, StrategySpec>();
  const seen = new Map<string, Map<string, number>>();

  before(async () => {
    const found = await discoverHarnesses(['programs.mjs'], { cwd: fixedProject('determinism') });
    for (const subject of found) subjects.set(subject.name, subject);
    assert.deepEqual([...subjects.keys()].toSorted(), Object.keys(SCHEDULES).toSorted());
    for (const [name, [kind, outcome]] of Object.entries(SCHEDULES))
      specs.set(name, await scheduleOf(subjects.get(name)!, kind, outcome));
  });
  after(() => Promise.all([...subjects.values()].map((subject) => subject.close())));

  /** Forces every schedule so many times, in turn, each in its own warm process. */
  async function force(times: number): Promise<void> {
    for (const [name, spec] of specs) {
      const runs = seen.get(name) ?? new Map<string, number>();
      seen.set(name, runs);
      const subject = subjects.get(name)!;
      for (let i = 0; i < times; i++) {
        const isRecorded = i % RECORDED === 0;
        const result = isRecorded
          ? (await subject.record(options(), spec)).result
          : await subject.execute(spec, options());
        const key = `${isRecorded ? 'recorded' : 'forced'}: ${saying(result)}`;
        runs.set(key, (runs.get(key) ?? 0) + 1);
      }
    }
  }

  test('forced many times', () => force(TIMES - BUSY_TIMES));

  test('and on a busy machine', () => whileBurning(() => force(BUSY_TIMES)));

  for (const name of Object.keys(SCHEDULES))
    test(name, () => {
      const runs = [...seen.get(name)!];
      assert.equal(runs.length, 2, runs.map(([key, n]) => `${n} times ${key}`).join('\n'));
      assert.deepEqual(
        runs.map(([, n]) => n),
        [TIMES / RECORDED, TIMES - TIMES / RECORDED],
      );
    });

  test('and another process does not differ', async () => {
    for (const [name, spec] of specs) {
      const subject = subjects.get(name)!;
      await subject.close();
      const { result } = await subject.record(options(), spec);
      assert.ok(seen.get(name)!.has(`recorded: ${saying(result)}`), name);
      const fresh = await subject.executeFresh(spec, options());
      assert.deepEqual(fresh.steps, result.steps, name);
    }
  });
});

/** The first of the random orders that ends as wanted: by its seed, or spelled out. */
async function scheduleOf(
  subject: Subject,
  kind: 'random' | 'directed',
  outcome: RunResult['outcome'],
): Promise<StrategySpec> {
  for (let seed = 1; seed < 500; seed++) {
    const spec: StrategySpec = { kind: 'random', seed };
    const result = await subject.execute(spec, options());
    if (result.outcome !== outcome) continue;
    const { steps } = result;
    assert.ok(steps.length >= LEAST_STEPS, `${subject.name}: ${steps.length} steps`);
    if (kind === 'random') return spec;
    const schedule = { id: subject.name, cutPoint: null, steps, moves: 0, switches: 0, stallMs: 0 };
    return { kind, schedule, cutPoint: null };
  }
  throw new Error(`${subject.name}: no order ends with ${outcome}`);
}

describe('a controller that is not deterministic is caught', () => {
  const work = async (): Promise<void> => {
    const task = async (ms: number) => {
      for (let i = 0; i < 10; i++) await Promise.all([sleep(ms), stat('.'), readFile('package.json')]);
    };
    await Promise.all([task(1), task(2), immediate()]);
  };
  /** How many different runs there are of so many. */
  async function distinct(run: () => ReturnType<typeof gated>): Promise<number> {
    const runs = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const { status, steps, requiredStallMs, requiredPauseMs } = await run();
      runs.add(JSON.stringify({ status, steps, requiredStallMs, requiredPauseMs }));
    }
    return runs.size;
  }
  const at = (part: () => number): Strategy => ({
    choose: (enabled: readonly ReadyStep[]) => enabled[Math.floor(part() * enabled.length)]!,
  });

  test('an unseeded choice', async () => {
    assert.ok((await distinct(() => gated(work, { strategy: at(Math.random) }))) > 1);
  });

  test('a choice by the real clock', async () => {
    const strategy = at(() => (performance.now() * 1000) % 1);
    assert.ok((await distinct(() => gated(work, { strategy }))) > 1);
  });

  test('a clock that the program shares with the machine', async () => {
    const clocked = async (): Promise<void> => {
      const started = performance.now();
      await stat('.');
      await sleep(2);
      const nanoseconds = Math.round((performance.now() - started) * 1e6);
      for (let i = 0; i < nanoseconds % 7; i++) await immediate();
    };
    assert.equal(await distinct(() => gated(clocked)), 1);
    assert.ok((await distinct(() => gated(clocked, { rules: { clocks: false } }))) > 1);
  });

  test('and one that chooses by a rule is not', async () => {
    assert.equal(await distinct(() => gated(work, { strategy: at(() => 0.5) })), 1);
  });
});
