/** Runs a scenario inside of a worker process: a serial order whose outcome is asked for, or overlapping calls that are judged. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunResult } from '../../data/run.ts';
import type { ScenarioRun, SerialReply, ToldOutcome } from '../../data/scenario.ts';
import { failureOf, withFailure } from '../failure.ts';
import { type Executed, type Execution, executeGated, IN_RUNNER } from '../subjects/execution.ts';
import type { RunReply } from '../subjects/worker-protocol.ts';
import { Overlap } from './overlap.ts';
import type { PlannedScenario } from './plan.ts';
import { toldOutcome, verdictOf } from './verdict.ts';

/** By a shifted clock a run begins so much later, ms: in another second, and not at the same part of it. */
const SHIFT_MS = 1_731;

/** What a run of a scenario needs from the process that it is in. */
export interface ScenarioMeans {
  /** The directory of this run, made when it is asked for. */
  readonly folder: { get(): string; readonly made: string | null };
  /** Rejects what takes longer than it may. */
  within<T>(what: string, work: T | Promise<T>): Promise<T>;
}

type ScenarioAsked<K extends ScenarioRun['kind']> = Extract<ScenarioRun, { kind: K }>;

/** @throws SubjectError, or what `setup` throws. */
export async function runScenario(
  scenario: PlannedScenario,
  asked: ScenarioRun,
  execution: Execution,
  means: ScenarioMeans,
): Promise<RunReply> {
  const { spec } = scenario;
  const { folder } = means;
  const made = spec.setup({
    get dir() {
      return folder.get();
    },
  });
  const state: unknown = await means.within('setup', made);
  const overlap = new Overlap(scenario, state, folder.made);
  try {
    return asked.kind === 'serial'
      ? await runSerially(overlap, asked, execution, means)
      : await runJudged(overlap, scenario, asked, execution, means);
  } finally {
    if (spec.teardown) await means.within('teardown', spec.teardown(state)).catch(() => {});
  }
}

async function runSerially(
  overlap: Overlap,
  { order, rests, clock, restMs }: ScenarioAsked<'serial'>,
  execution: Execution,
  means: ScenarioMeans,
): Promise<RunReply> {
  if (clock === 'real') {
    const started = performance.now();
    await means.within('a serial order', overlap.inOrder(order, [], null));
    await sleep(restMs);
    const outcome = await means.within('observe', overlap.outcome());
    const serial = { outcome, clockMs: 0, isBlocked: false };
    const result = { ...NO_RUN, durationMs: performance.now() - started };
    return { result, trace: null, serial, reusable: true };
  }
  const executed = await executeGated(
    async (root) => {
      if (clock === 'shifted') await sleep(SHIFT_MS);
      await overlap.inOrder(order, rests, root);
    },
    ...lasting(execution),
  );
  const { result } = settled(executed);
  let serial: SerialReply | null = null;
  if (result.outcome === 'pass' || result.outcome === 'deadlock') {
    const outcome = await means.within('observe', overlap.outcome());
    serial = { outcome, clockMs: executed.gate.clockMs, isBlocked: overlap.isBlocked };
  }
  return { result, trace: null, serial, reusable: result.outcome !== 'unknown' };
}

async function runJudged(
  overlap: Overlap,
  scenario: PlannedScenario,
  { isSerial, serial, isTold = false }: ScenarioAsked<'judged'>,
  execution: Execution,
  means: ScenarioMeans,
): Promise<RunReply> {
  const how = isSerial ? 'serially' : scenario.start;
  const gated = settled(await executeGated((root) => overlap.start(how, root), ...lasting(execution)));
  const { trace } = gated;
  let { result } = gated;
  let allowed: string | undefined;
  let told: ToldOutcome | undefined;
  if (result.outcome === 'pass' || result.outcome === 'deadlock') {
    const executed = overlap.executed(await means.within('observe', overlap.outcome()));
    const verdict = verdictOf(scenario, executed, serial);
    if (isTold) told = toldOutcome(scenario, executed, serial);
    allowed = verdict.allowed;
    // A call that never settles waits for another one in some serial order as well.
    if (!verdict.error) result = { ...result, outcome: 'pass', failure: null };
    else if (result.outcome === 'pass') result = withFailure(result, failureOf(verdict.error));
  }
  const reusable = result.outcome !== 'unknown';
  return { result, trace, reusable, ...(allowed !== undefined && { allowed }), ...(told && { told }) };
}

/** Components live in processes that last: what waits for an unref'd timer is not stuck. */
const lasting = (execution: Execution) => [execution, IN_RUNNER] as const;

/** What the last turn left unhandled is a failure of the run. */
function settled<T>(executed: Executed<T>): Executed<T> {
  const { result } = executed;
  if (result.outcome !== 'pass' || !result.afterwards) return executed;
  return { ...executed, result: withFailure(result, result.afterwards) };
}

const NO_RUN: RunResult = {
  ...{ outcome: 'pass', followed: null, patternSeen: false, failure: null, steps: [], breadth: 0 },
  ...{ requiredStallMs: 0, requiredPauseMs: 0, late: [], traceHash: '', divergence: null, waits: [] },
  ...{ ungated: {}, durationMs: 0 },
};
