/**
 * Steps of schedules, and the one spelling in which strategies compare them, stores keep them and reports show them: two
 * steps are the same exactly when they are spelt alike. Whoever wants to know what a step is asks here.
 *
 *   E:name          the request takes effect          X:name   its pool thread is given back, before the delivery
 *   3:name          it takes effect within the turn   D:name   it is delivered; timers and immediates, too
 *                   that the step before began,
 *                   before the third synchronous call
 *   3:              no effect comes before that call  *        all that the schedule does not mention, but timers
 *   alice 4         a thread takes four steps         alice takes D:name   a step of its event loop
 */

/** What happens to a request of the host. */
export type StepOp = 'effect' | 'release' | 'deliver';

/** A step of an event loop. */
export interface LoopStep {
  readonly op: StepOp;
  /** Stable name of the request; empty: an effect that does not come, see {@link isNoEffect}. */
  readonly request: string;
  /** Of an effect within a turn: before which of the turn's synchronous calls, from 1; else null. */
  readonly inTurn: number | null;
}

/** A step of a schedule of threads: a thread runs for so many of its own steps, or its event loop takes one. */
export type ThreadStep =
  | { readonly thread: string; readonly count: number; readonly step?: never }
  | { readonly thread: string; readonly step: string; readonly count?: never };

/** A step that stands for all that the schedule does not mention and that needs no time to pass. */
export const EVERYTHING_ELSE = '*';

const LETTER: Readonly<Record<StepOp, string>> = { effect: 'E:', release: 'X:', deliver: 'D:' };
const OP: Readonly<Record<string, StepOp>> = { E: 'effect', X: 'release', D: 'deliver' };

export const spell = (op: StepOp, request: string): string => LETTER[op] + request;
export const effectOf = (request: string): string => spell('effect', request);
export const deliveryOf = (request: string): string => spell('deliver', request);

/** An effect that comes within the turn that is on, before its nth synchronous call. */
export const effectInTurn = (nth: number, request: string): string => `${nth}:${request}`;

/** The request of a step of an event loop. */
export const requestOf = (step: string): string => step.slice(step.indexOf(':') + 1);

/** What a step of an event loop is; null: it is none. */
export function loopStepOf(step: string): LoopStep | null {
  const inTurn = isInTurn(step) ? Number.parseInt(step, 10) : null;
  const op = inTurn !== null ? 'effect' : step[1] === ':' ? OP[step[0]!] : undefined;
  return op === undefined ? null : { op, request: requestOf(step), inTurn };
}

export const isDelivery = (step: string): boolean => step.startsWith(LETTER.deliver);
export const isRelease = (step: string): boolean => step.startsWith(LETTER.release);
const isInTurn = (step: string): boolean => /^[1-9]\d*:/.test(step);

/** The step as it would be between turns. */
export const betweenTurns = (step: string): string => (isInTurn(step) ? effectOf(requestOf(step)) : step);

/** A synchronous call of a turn that no effect comes before: what an enumeration chose there. */
export const isNoEffect = (step: string): boolean => isInTurn(step) && requestOf(step) === '';

/**
 * Steps as they are told apart within one order: the effects of one request, of which a copy or a whole file has several, are spelt
 * alike, so that each has the number of those before it.
 */
export function numbered(steps: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return steps.map((step) => {
    const before = counts.get(step) ?? 0;
    counts.set(step, before + 1);
    return `${before} ${step}`;
  });
}

/** Where each of them comes; of equal ones the last. */
export const placesOf = (steps: readonly string[]): Map<string, number> =>
  new Map(steps.map((step, at) => [step, at]));

/** Between a thread and a step of its event loop. */
const TAKES = ' takes ';

export const spellThread = (each: ThreadStep): string =>
  each.step === undefined ? `${each.thread} ${each.count}` : each.thread + TAKES + each.step;

/** What {@link spellThread} spelt. */
export function threadStepOf(step: string): ThreadStep {
  const taken = / takes (?=(?:[EXD]|[1-9]\d*):)/.exec(step);
  if (taken) return { thread: step.slice(0, taken.index), step: step.slice(taken.index + TAKES.length) };
  const space = step.lastIndexOf(' ');
  return { thread: step.slice(0, space), count: Number(step.slice(space + 1)) };
}
