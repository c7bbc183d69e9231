/**
 * A failure whose cause lies in packages that nobody looked into is explained by a closer look: the natural order and the failing
 * one are run once more with these packages instrumented. Nothing else changes, but tasks have other names then, so that requests
 * are told by the order in which they are issued.
 */
import type { StrategySpec } from '../../data/run.ts';
import { requestOf } from '../../data/schedule-step.ts';
import type { Trace } from '../../data/trace.ts';
import type { Prediction } from '../../predictor/predict.ts';
import type { Finding } from '../investigate/investigate.ts';
import { numberedStep } from '../strategies/numbered.ts';
import { type LoopExplanation, type Means, met } from './explain.ts';
import { isMended, leadingPoints, readOff } from './leading.ts';
import { aboutWhat, pointsOf } from './points.ts';
import { timingOf } from './timing.ts';
import { turnedIn } from './turned.ts';

/** The two orders of a finding as the closer look recorded them. */
export interface CloseUp {
  readonly natural: Trace;
  readonly failing: Trace;
}

/** The order of a recorded run, for the same program under other names; null: a step of it is about nothing that it issued. */
export function likeIn(trace: Trace): StrategySpec | null {
  const nth = placesOf(trace);
  const steps: string[] = [];
  for (const step of trace.steps) {
    const at = nth.get(requestOf(step));
    if (at === undefined) return null;
    steps.push(numberedStep(step, at + 1));
  }
  return { kind: 'numbered', steps };
}

/** By the names of requests, where they stand in the order of issue. */
const placesOf = ({ requests }: Trace): Map<string, number> =>
  new Map(requests.map(({ name }, at) => [name, at]));

/** Whether there is something to be found out by a closer look: nothing that was seen mends the failure. */
export const isOpen = ({ failing, fix }: LoopExplanation): boolean =>
  !isMended(fix) && (failing?.packages ?? []).length > 0;

/** Runs orders of the program as it was looked into. `file`: of the test. */
interface CloserMeans extends Pick<Means, 'run' | 'isOver'> {
  readonly file: string;
}

/**
 * The finding, told by what a closer look saw; null: that explains no more. What seemed to be a sleep of the test that is too short
 * is a race in what was not looked into where accesses there, kept whole, let all failing orders pass; no race becomes less than one.
 */
export async function explainCloser(
  finding: Finding,
  kept: LoopExplanation,
  { natural, failing }: CloseUp,
  { cutPoints, schedules }: Pick<Prediction, 'cutPoints' | 'schedules'>,
  { file, run, isOver }: CloserMeans,
): Promise<LoopExplanation | null> {
  const { stack = '' } = finding.result.failure ?? {};
  const renamed = renaming(kept, { natural, failing });
  const others = finding.orders
    .slice(1)
    .map(renamed)
    .filter((steps) => steps !== null);
  const closer: Finding = {
    ...finding,
    schedule: { ...finding.schedule, cutPoint: null, steps: failing.steps },
    steps: failing.steps,
    cutPoint: null,
    result: { ...finding.result, steps: failing.steps },
    orders: [failing.steps, ...others],
    variants: [],
  };
  const found = pointsOf(closer, cutPoints, natural, failing);
  const seemed = kept.timing?.told;
  const timing = seemed
    ? await timingOf(closer.result, natural, failing, aboutWhat(found, file), run, file)
    : kept.timing;
  if (timing?.told) return null;
  const flip = met(timing, turnedIn(failing, natural, stack));
  const { points, fix } = await leadingPoints(closer, found, {
    ...readOff(failing, natural, stack),
    predicted: cutPoints,
    schedules: schedules.map((schedule) => ({ schedule })),
    turned: flip,
    run,
    isOver,
  });
  const saysMore = isMended(fix) || (!seemed && kept.flip === null && flip !== null);
  return saysMore ? { ...kept, natural, failing, points, flip, fix, timing } : null;
}

/** Orders under the names of the closer look; null: one has a request that neither of the recorded runs issued. */
function renaming(
  { natural, failing }: Pick<LoopExplanation, 'natural' | 'failing'>,
  closer: CloseUp,
): (steps: readonly string[]) => string[] | null {
  const names = new Map<string, string>();
  const learn = (from: Trace, to: Trace): void => {
    for (const [at, { name }] of from.requests.entries()) {
      const other = to.requests[at]?.name;
      if (other !== undefined) names.set(name, other);
    }
  };
  learn(natural, closer.natural);
  if (failing) learn(failing, closer.failing);
  return (steps) => {
    const renamed: string[] = [];
    for (const step of steps) {
      const request = requestOf(step);
      const name = names.get(request);
      if (name === undefined) return null;
      renamed.push(step.slice(0, step.length - request.length) + name);
    }
    return renamed;
  };
}
