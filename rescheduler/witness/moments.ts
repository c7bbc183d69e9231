/** The steps of a failing order as a plain run sees them: what comes by itself, and what can be late. */
import { EventKind, type Request, type Trace } from '../../data/trace.ts';

export type Kind = 'effect' | 'end' | 'deliver' | 'timer' | 'immediate' | 'close' | 'other';

export interface Moment {
  readonly kind: Kind;
  /** Index of the request; -1 where nothing is known of it. */
  readonly request: number;
  /** The moment in whose turn the request was issued; -1: the first turn. */
  readonly cause: number;
  /** Node delivers it at the beginning of the check phase. */
  readonly putOff: boolean;
  /** Of a timer, ms. */
  readonly delay: number;
}

const LETTERS: Readonly<Record<string, Kind>> = { E: 'effect', X: 'end' };

/** One moment for each step. */
export function momentsOf(trace: Trace, causes: ReadonlyMap<number, number>): Moment[] {
  const ids = new Map(trace.requests.map(({ name }, id) => [name, id]));
  return trace.steps.map((step): Moment => {
    const request = ids.get(step.slice(2)) ?? -1;
    const asked = trace.requests[request];
    const kind = asked ? kindOf(step[0] as string, asked) : 'other';
    const delay = asked?.kind === 'timer' ? Math.max(1, asked.delay) : 0;
    const putOff = asked !== undefined && kind === 'deliver' && isPutOff(asked);
    return { kind, request, cause: causes.get(request) ?? -1, putOff, delay };
  });
}

function kindOf(letter: string, request: Request): Kind {
  const { kind } = request;
  if (kind === 'timer' || kind === 'immediate' || kind === 'close') return kind;
  return canBeLate(request) ? (/\d/.test(letter) ? 'effect' : (LETTERS[letter] ?? 'deliver')) : 'other';
}

/** What a plain run can hold back. */
export const canBeLate = ({ kind, api }: Request): boolean =>
  kind === 'pool' ||
  (kind === 'external' &&
    /^(?:net|dgram|dns|WebAssembly|child_process|MessagePort|fs\.watch(?:File)?)\b/.test(api));

/** A name server answers it. */
const isPutOff = ({ kind, api }: Request): boolean => kind === 'external' && /^dns\b/.test(api);

/** Others can see what it does before it is answered. */
export const hasSeenEffects = ({ kind, api }: Request): boolean => kind === 'pool' && api.startsWith('fs.');

/** The trace without the effects that nobody sees: they may happen at any time, so that nothing has to wait for them. */
export function withoutUnseen(trace: Trace): Trace {
  const unseen = new Set(
    trace.requests.filter((request) => !hasSeenEffects(request)).map(({ name }) => `E:${name}`),
  );
  return { ...trace, steps: trace.steps.filter((step) => !unseen.has(step)) };
}

/** For each request the step in whose turn it was issued. */
export function causesOf({ events, requests, steps }: Trace): Map<number, number> {
  const deliveries = new Map(steps.map((step, at) => [step, at]));
  const causes = new Map<number, number>();
  let turn = -1;
  for (let i = 0; i < events.length; i++) {
    const request = events.object[i] as number;
    if (events.kind[i] === EventKind.Issue) causes.set(request, turn);
    else if (events.kind[i] === EventKind.Turn) turn = deliveries.get(`D:${requests[request]?.name}`) ?? turn;
  }
  return causes;
}
