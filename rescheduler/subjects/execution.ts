/**
 * One gated run in this process: root frame, recorder or watcher, gate, and what it all says as a RunResult.
 * Used by harness workers, test processes and script processes alike.
 */
import { createHash, hash as hashOf } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { LoopOptions } from '../../data/feasibility/rules.ts';
import type { Failure, Followed, Outcome, RunLimits, RunResult, StrategySpec } from '../../data/run.ts';
import { EventKind, type Trace } from '../../data/trace.ts';
import { type Around, peers } from '../../monitor/host/net/peers.ts';
import { Recorder } from '../../monitor/record/recorder.ts';
import { SpanWatcher } from '../../monitor/record/span.ts';
import { PatternWatcher } from '../../monitor/record/watcher.ts';
import { type Frame, runtime } from '../../monitor/runtime/index.ts';
import { inlineHooks } from '../../monitor/runtime/inlining.ts';
import { DEADLOCK, failureOf, plainFailure } from '../failure.ts';
import {
  assumedAnswer,
  type GateObserver,
  type GateResult,
  runGated,
  type Unhandled,
} from '../gate/session.ts';
import { createStrategy } from '../strategies/create.ts';
import { ExitTrap } from './exit-trap.ts';
import { leftTicks } from './left-ticks.ts';
import { type StopPoint, Stops } from './stops.ts';

export interface Execution {
  readonly spec: StrategySpec;
  readonly limits: RunLimits;
  readonly wantChoices: boolean;
  readonly record: boolean;
  /** Where to stop in the debugger. */
  readonly stops?: readonly StopPoint[] | undefined;
}

export interface Manner {
  /** `settled`: the run ends with the body's promise; `idle`: when nothing is left to happen. */
  readonly until: 'settled' | 'idle';
  /** `process.exit` ends the run instead of the process. */
  readonly trapExit: boolean;
  /** The process does not end before the run does, even if nothing of the run keeps it alive. */
  readonly keptAlive?: boolean;
  /** See {@link GateOptions.handsOver}. */
  readonly handsOver?: boolean;
  /** See {@link GateOptions.isLast}. */
  readonly isLast?: boolean;
  /** See {@link GateOptions.atOnce}. */
  readonly atOnce?: boolean;
  /** See {@link GateOptions.journal}. */
  readonly journal?: (step: string) => void;
  /** See {@link GateOptions.goesOn}. */
  readonly goesOn?: () => boolean;
  /** Where in the loop the body begins; by default `before` it. */
  readonly firstTurn?: LoopOptions['firstTurn'];
  /** Asked when the body is over: nothing can keep the turns that it has left behind from coming. By default something can. */
  readonly countsLater?: () => boolean;
  /** The file that a test is of. */
  readonly around?: Around;
}
const DEFAULT_MANNER: Manner = { until: 'settled', trapExit: true };
/** Node's test runner keeps the process alive while a test runs. */
export const IN_RUNNER: Manner = { until: 'settled', trapExit: true, keptAlive: true };

export interface Executed<T> {
  readonly result: RunResult;
  readonly trace: Trace | null;
  /** How the gated part itself ended. */
  readonly gate: GateResult<T>;
  /** What it left unhandled, which is the runner's to tell. */
  readonly afterwards: Unhandled | undefined;
  /** What the body returned or threw. */
  readonly value: T | undefined;
  readonly error: unknown;
}

/** Runs `body` under a strategy; `body` receives the root frame of the run. */
export async function executeGated<T>(
  body: (root: Frame) => T | Promise<T>,
  execution: Execution,
  manner: Manner = DEFAULT_MANNER,
): Promise<Executed<T>> {
  const { spec, limits, wantChoices, record, stops: points } = execution;
  const started = performance.now();
  leftTicks.hold();
  inlineHooks();
  const root = runtime.beginRun();
  peers.begin(manner.around);
  // A predicted or failing order is recorded to be explained.
  const recorder = record
    ? new Recorder(runtime, spec.kind === 'directed' || spec.kind === 'numbered')
    : null;
  const watcher =
    !record && spec.kind === 'directed' && spec.cutPoint ? new PatternWatcher(runtime, spec.cutPoint) : null;
  const span = spec.kind === 'atomic' ? new SpanWatcher(runtime, spec.cutPoints) : null;
  const strategy = createStrategy(spec, span ?? undefined);
  const trap = new ExitTrap();
  const observer = (recorder ?? watcher ?? span)?.observer as GateObserver | undefined;
  recorder?.start(root);
  watcher?.start();
  span?.start();
  const stops = points ? new Stops(runtime, points) : null;
  stops?.set();
  runtime.assume = limits.assumeIo ? assumedAnswer : null;
  if (manner.trapExit) trap.set();
  let gate: GateResult<T>;
  try {
    const main = () => {
      leftTicks.release();
      const running = body(root);
      return running instanceof Promise ? Promise.race([running, trap.exited]) : running;
    };
    const { atOnce = false } = manner;
    // Most tests are called in a microtask, by whatever runs them: what they leave to microtasks comes before their first ticks.
    const begin = manner.until === 'settled' && !atOnce ? () => Promise.resolve().then(main) : main;
    gate = await runGated(begin, {
      strategy,
      limits,
      until: manner.until,
      keptAlive: manner.keptAlive ?? false,
      handsOver: manner.handsOver ?? false,
      isLast: manner.isLast ?? false,
      atOnce,
      firstTurn: manner.firstTurn ?? 'before',
      frames: runtime.frames,
      ...(wantChoices ? { wantChoices } : {}),
      ...(manner.goesOn ? { goesOn: manner.goesOn } : {}),
      ...(manner.journal ? { journal: manner.journal } : {}),
      ...(observer ? { observer } : {}),
    });
  } finally {
    leftTicks.release();
    trap.unset();
    stops?.unset();
    watcher?.finish();
    span?.finish();
  }
  const finished = recorder?.finish(gate.steps, gate.ungated) ?? null;
  const { around, children = [] } = gate;
  const others = { ...(children.length > 0 ? { children } : {}), ...(around ? { around } : {}) };
  const trace = finished && { ...finished, ...others };
  const failure = failureFrom(gate, trap);
  const afterwards = leftUnhandled(gate, manner.countsLater?.() ?? null);
  const result: RunResult = {
    outcome: failure === null ? 'pass' : failedOutcome(gate),
    followed: span ? (span.whole ? 'followed' : 'diverged') : followed(spec, gate, strategy),
    patternSeen: watcher?.seen ?? false,
    failure,
    steps: gate.steps,
    ...(gate.choices ? { choices: gate.choices } : {}),
    breadth: gate.breadth,
    ...(gate.paced ? { paced: true } : {}),
    clockMs: gate.clockMs,
    requiredStallMs: gate.requiredStallMs,
    requiredPauseMs: gate.requiredPauseMs,
    late: gate.late,
    traceHash: traceHash(gate.steps, trace),
    divergence: divergence(gate),
    waits: gate.waits,
    ungated: gate.ungated,
    ...(afterwards ? { afterwards: failureOf(afterwards.error, kindOf(afterwards)) } : {}),
    ...(peers.seen.length > 0 ? { peers: peers.seen } : {}),
    ...(gate.doubts.length > 0 ? { doubts: gate.doubts } : {}),
    durationMs: performance.now() - started,
  };
  return { result, trace, gate, afterwards, value: gate.value, error: trap.exit ?? gate.error };
}

/**
 * What counts of it. A rejection of the turn in which the test ends is there before its hooks are; an exception is
 * thrown behind them, in a tick, and so is all that comes later.
 */
function leftUnhandled(
  { afterwards, later }: GateResult<unknown>,
  countsLater: boolean | null,
): Unhandled | undefined {
  if (afterwards && (countsLater !== false || afterwards.origin === 'rejection')) return afterwards;
  return countsLater ? later : undefined;
}

const kindOf = ({ origin }: { readonly origin?: string }) =>
  origin === 'rejection' ? 'unhandled-rejection' : undefined;

function failureFrom(gate: GateResult<unknown>, trap: ExitTrap): Failure | null {
  if (trap.exit) return failureOf(trap.exit);
  switch (gate.status) {
    case 'fail':
      return failureOf(gate.error, kindOf(gate));
    case 'deadlock':
      return gate.missing === undefined ? DEADLOCK : plainFailure('deadlock', DEADLOCK.name, gate.missing);
    case 'watchdog':
      return plainFailure('timeout', 'Timeout', gate.missing ?? 'no end within the real time allowed');
    default:
      return null;
  }
}

function failedOutcome({ status, doubts }: GateResult<unknown>): Outcome {
  if (status === 'watchdog' || doubts.length > 0) return 'unknown';
  return status === 'deadlock' ? 'deadlock' : 'fail';
}

/** They name the steps that they want. */
const FOLLOWS: ReadonlySet<StrategySpec['kind']> = new Set(['directed', 'held', 'numbered', 'prefix']);

function followed(
  spec: StrategySpec,
  gate: GateResult<unknown>,
  strategy: { complete?: boolean },
): Followed | null {
  if (!FOLLOWS.has(spec.kind)) return null;
  if (gate.stopped) return gate.stopped.stop;
  return strategy.complete === false ? 'diverged' : 'followed';
}

function divergence({ stopped }: GateResult<unknown>): RunResult['divergence'] {
  if (!stopped) return null;
  return { at: stopped.step, wanted: stopped.wanted, instead: stopped.instead ?? '(nothing)' };
}

/** Equal for runs that took the same steps and, where recorded, made the same accesses in the same order. */
function traceHash(steps: readonly string[], trace: Trace | null): string {
  if (!trace) return hashOf('sha1', steps.join('\n'));
  const { events, sites, entities, activations } = trace;
  const hash = createHash('sha1').update(steps.join('\n'));
  // Tables are filled in the order of events: equal numbers and equal tables are equal accesses.
  const accesses = new Int32Array(4 * events.length);
  let filled = 0;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i]!;
    if (kind !== EventKind.Read && kind !== EventKind.Write) continue;
    accesses[filled++] = kind;
    accesses[filled++] = events.object[i]!;
    accesses[filled++] = events.site[i]!;
    accesses[filled++] = events.activation[i]!;
  }
  hash.update(accesses.subarray(0, filled));
  hash.update(entities.map(({ name }) => name).join('\n'));
  hash.update(sites.map(({ file, line, column }) => `${file}:${line}:${column}`).join('\n'));
  hash.update(activations.map(({ path }) => path).join('\n'));
  return hash.digest('hex');
}
