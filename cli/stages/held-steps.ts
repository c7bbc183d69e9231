/** What an order comes to: the steps that are late in it, and until when. */
import { type HeldStep, isWithin, partsOf, type StepRef } from '../../data/held-step.ts';
import { longestIncreasing } from '../../data/longest-increasing.ts';
import { betweenTurns, requestOf } from '../../data/schedule-step.ts';
import type { Trace } from '../../data/trace.ts';

/** `failing`: the steps that a run took. */
export function heldSteps(
  natural: Pick<Trace, 'requests' | 'steps'>,
  failing: readonly string[],
): HeldStep[] {
  const place = new Map(natural.steps.map((step, at) => [betweenTurns(step), at]));
  const taken = failing.map(betweenTurns).filter((step) => place.has(step));
  const late = movedIn(natural, place, taken);
  if (late.length > 0) return late;
  // A run that fails at once does not come to what was overtaken: that is late for good.
  const known = new Set(taken);
  return movedIn(natural, place, [...taken, ...[...place.keys()].filter((step) => !known.has(step))]);
}

/** `common`: the steps of an order that are in the natural one, too. */
function movedIn(
  natural: Pick<Trace, 'requests' | 'steps'>,
  place: ReadonlyMap<string, number>,
  common: readonly string[],
): HeldStep[] {
  const then = common.map((step) => place.get(step)!);
  const kept = longestIncreasing(then);
  return common.flatMap((step, at): HeldStep[] => {
    if (kept.has(at)) return [];
    const after = common.findLastIndex((_, j) => j < at && kept.has(j) && then[j]! > then[at]!);
    const before = common.findIndex((_, j) => j > at && kept.has(j) && then[j]! < then[at]!);
    if (after < 0 && before < 0) return [];
    const [late, until] = after >= 0 ? [step, common[after]!] : [common[before]!, step];
    return refsOf(natural, late, until);
  });
}

function refsOf(natural: Pick<Trace, 'requests'>, late: string, until: string): HeldStep[] {
  const [a, b] = [late, until].map((step) => segments(partsOf(requestOf(step)).path)) as [string[], string[]];
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1;
  // Steps of one activation, and of what only follows from them, are in the order that its own code gives them.
  const rest = a[shared] ?? b[shared];
  if (rest === undefined || ((shared === a.length || shared === b.length) && rest.startsWith('|'))) return [];
  const within = (path: string[]): string => path.slice(0, shared + 1).join('');
  const held = { step: refOf(natural, late, within(a)), until: refOf(natural, until, within(b)) };
  // Very long paths are folded: what they begin with is not known.
  return held.step.nth < 0 || held.until.nth < 0 ? [] : [held];
}

/** Activations, and answers of the host that others follow from. */
function segments(path: string): string[] {
  const [head = '', ...answers] = path.split(/(?=\|)/);
  return [...head.split(/(?=\.)/), ...answers];
}

function refOf({ requests }: Pick<Trace, 'requests'>, step: string, within: string): StepRef {
  const name = requestOf(step);
  const { api } = partsOf(name);
  const alike = requests.filter((each) => {
    const parts = partsOf(each.name);
    return parts.api === api && isWithin(parts.path, within);
  });
  return { within, api, nth: alike.findIndex((each) => each.name === name), op: step.slice(0, 2) };
}
