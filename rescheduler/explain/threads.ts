/** The same for a failure of threads: which accesses tell it, what would mend it, which order near it passes. */
import type { AccessPoint, CutPoint } from '../../data/prediction.ts';
import type { ReportBug } from '../../data/report.ts';
import { type Roles, rolesIn } from '../../data/threads/roles.ts';
import { scheduleOfSteps, type ThreadSchedule } from '../../data/threads/schedule.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import type { CallPlace } from '../../data/trace.ts';
import { earlyAccess, flipOf, missedBy, type ThreadFlip } from '../../predictor/threads/flip.ts';
import { accessAt, explanationsOf } from '../../predictor/threads/told.ts';
import type { FixCheck } from '../investigate/fix-check.ts';
import type { Finding } from '../investigate/investigate.ts';
import { checkFix, nearestPassing } from '../tokens/neighbours.ts';
import type { ThreadReply } from '../tokens/protocol.ts';
import type { Means } from './explain.ts';

/** The two accesses that an order bug turned round. */
interface FlippedAccesses {
  readonly entity: string;
  readonly first: AccessPoint & { readonly event: number };
  /** `event` is -1 where the run ended before it. */
  readonly second: AccessPoint & { readonly event: number };
}

/** How orders of a test of threads are run to explain one of its failures. */
export interface ThreadMeans extends Pick<Means, 'inTime' | 'isOver'> {
  run(schedule: ThreadSchedule): Promise<ThreadReply>;
  runFresh(schedule: ThreadSchedule): Promise<Pick<ThreadReply['ran'], 'outcome'>>;
  /** Once more, telling from where accesses at these places are called. */
  runForCalls(schedule: ThreadSchedule, places: readonly string[]): Promise<ThreadReply>;
  /** An event in words, as reports have it. */
  inWords(trace: ThreadTrace, event: number): string;
}

/** What is known of a finding. */
export interface ThreadExplanation {
  /** The failing order, recorded. */
  readonly shown: ThreadReply;
  /** From where the accesses that tell it were called. */
  readonly calls: Partial<Record<keyof Roles, readonly CallPlace[] | undefined>>;
  readonly cutPoint: CutPoint | null;
  readonly flip: FlippedAccesses | null;
  readonly fix: FixCheck | null;
  readonly counterfactual: ReportBug['counterfactual'];
}

/** Explains a finding at the moment when it was confirmed. */
export async function explainThreads(
  natural: ThreadTrace,
  finding: Finding,
  means: ThreadMeans,
): Promise<ThreadExplanation> {
  const { inTime, isOver, run } = means;
  const schedule = scheduleOfSteps(natural.names.threads, finding.steps);
  const shown = await run(schedule);
  const told = toldBy(finding, natural, shown.trace);
  const isDeadlock = finding.result.outcome === 'deadlock';
  let flip = told || isDeadlock ? null : flippedIn(shown, natural);
  let cutPoint = told;
  const { trace } = shown;
  if (isDeadlock || !trace)
    return {
      ...{ shown, cutPoint: told ?? (flip ? null : finding.cutPoint), flip },
      ...{ calls: {}, fix: null, counterfactual: null },
    };
  const check = () => checkFix(cutPoint ? [cutPoint] : [], [trace], run, isOver);
  const near = (turned = flip) => counterfactualOf(trace, cutPoint, turned, finding, means);
  let counterfactual: ThreadExplanation['counterfactual'] = null;
  const early = cutPoint || flip ? null : accessesIn(trace, earlyAccess(trace, natural));
  if (early) {
    counterfactual = await inTime(() => near(early), null);
    // What no order has shown is not told.
    if (counterfactual) flip = early;
  }
  // Where nothing that happened tells of it, what it was forced for does.
  if (!flip) cutPoint ??= finding.cutPoint;
  return {
    ...{ shown, cutPoint, flip },
    calls: await inTime(() => callsIn(schedule, natural, cutPoint, flip, means), {}),
    fix: await inTime(check, null),
    counterfactual: counterfactual ?? (await inTime(near, null)),
  };
}

/** The failing order once more: only this run looks at the stack. */
async function callsIn(
  schedule: ThreadSchedule,
  natural: ThreadTrace,
  cutPoint: CutPoint | null,
  flip: FlippedAccesses | null,
  { runForCalls }: ThreadMeans,
): Promise<ThreadExplanation['calls']> {
  const told = cutPoint ? [cutPoint.first, cutPoint.remote, cutPoint.second] : [flip?.first, flip?.second];
  const places = told.flatMap((access) => access?.at ?? []);
  if (places.length === 0) return {};
  const again = await runForCalls(schedule, places);
  const { trace } = again;
  const callers = trace?.callers;
  if (!callers) return {};
  if (cutPoint) {
    const roles = rolesIn(trace, cutPoint);
    if (!roles) return {};
    const { first, remote, second } = roles;
    return { first: callers.get(first), remote: callers.get(remote), second: callers.get(second) };
  }
  const same = flippedIn(again, natural);
  if (same?.first.at !== flip?.first.at || same?.second.at !== flip?.second.at) return {};
  return same ? { first: callers.get(same.first.event), second: callers.get(same.second.event) } : {};
}

/** The same after the test: by now more orders have failed alike. */
export async function explainThreadsAgain(
  natural: ThreadTrace,
  { orders, variants }: Finding,
  explained: ThreadExplanation,
  { inTime, isOver, run }: ThreadMeans,
): Promise<ThreadExplanation> {
  const { cutPoint, fix, shown } = explained;
  if (!cutPoint || !fix || orders.length < 2) return explained;
  const again = async (): Promise<FixCheck | null> => {
    const failing = shown.trace ? [shown.trace] : [];
    for (const steps of orders.slice(1)) {
      if (isOver()) break;
      const { ran, trace } = await run(scheduleOfSteps(natural.names.threads, steps));
      if (trace && ran.outcome === 'fail') failing.push(trace);
    }
    return checkFix([cutPoint, ...variants], failing, run, isOver);
  };
  return { ...explained, fix: await inTime(again, fix) };
}

/** The nearest order that passes each time, in fresh processes, in words. */
async function counterfactualOf(
  trace: ThreadTrace,
  cutPoint: CutPoint | null,
  flip: FlippedAccesses | null,
  { confirmation: { times } }: Finding,
  { inWords, isOver, run, runFresh }: ThreadMeans,
): Promise<ReportBug['counterfactual']> {
  const told = cutPoint
    ? rolesIn(trace, cutPoint)
    : flip && flip.second.event >= 0 && { first: flip.first.event, second: flip.second.event };
  const near = told && (await nearestPassing(trace, told, run, isOver));
  if (!near) return null;
  for (let i = 0; i < times; i++) if ((await runFresh(near.schedule)).outcome !== 'pass') return null;
  const [step, anchor] = [inWords(trace, near.step), inWords(trace, near.anchor)];
  return { step, now: near.now, anchor, block: true, passed: `${times}/${times}` };
}

/** What tells a failure: the triple that was forced; where that is none of the five patterns, what the run shows. */
function toldBy(
  { cutPoint, result }: Finding,
  natural: ThreadTrace,
  failing: ThreadTrace | null,
): CutPoint | null {
  if (result.outcome === 'deadlock' || !failing) return cutPoint;
  // What was predicted need not have come to pass: behind the remote access a thread may go another way.
  const isShown = cutPoint !== null && rolesIn(failing, cutPoint) !== null;
  // Nor is what the natural order shows as well the reason of a failure.
  const isNews = isShown && rolesIn(natural, cutPoint) === null;
  if (isNews && cutPoint.pattern !== 'RRW') return cutPoint;
  return explanationsOf(failing, natural)[0] ?? (isShown ? cutPoint : null);
}

/** The two accesses that an order bug turned round; null: none are known. */
function flippedIn({ sites, trace }: ThreadReply, natural: ThreadTrace): FlippedAccesses | null {
  if (!trace) return null;
  const atomic = new Set(trace.names.points.filter((_, point) => sites[point]?.text.startsWith('Atomics.')));
  const flip = accessesIn(
    trace,
    flipOf(trace, natural, (point) => atomic.has(point)),
  );
  if (flip) return flip;
  const missed = missedBy(trace, natural);
  return (
    missed && {
      entity: missed.entity,
      first: accessAt(trace, missed.first),
      second: { ...accessAt(natural, missed.missed), event: -1 },
    }
  );
}

function accessesIn(trace: ThreadTrace, flip: ThreadFlip | null): FlippedAccesses | null {
  if (!flip) return null;
  const entity = trace.names.entities[flip.entity]!;
  return { entity, first: accessAt(trace, flip.first), second: accessAt(trace, flip.second) };
}
