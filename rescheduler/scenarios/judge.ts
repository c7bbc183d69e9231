/**
 * The oracle: an execution is correct if some serial order of its operations gives the same outcome (Line-Up, Burckhardt et
 * al., PLDI 2010, section 2; the serial orders were executed before, and several times). It departs from that in what may
 * be anything: see compare.ts.
 */
import type { Canonical, CanonicalOutcome, SerialOutcome } from '../../data/scenario.ts';
import type { Declared } from '../../harnesses/api.ts';
import { differences, measures } from './compare.ts';
import { counterPaths, renumbered } from './counters.ts';
import type { OperationCall } from './plan.ts';
import { ALL_ORACLE_RULES } from './rules.ts';

/** One execution of a scenario. */
export interface OverlapRun {
  readonly outcome: CanonicalOutcome;
  /** Calls that were refused. */
  readonly refused: readonly number[];
  /** When each call began and ended, by a count of both; `Infinity`: it never did. */
  readonly began: readonly number[];
  readonly ended: readonly number[];
}

/** How an execution stands to the serial orders. */
interface Weighed extends Misfit {
  /** The one that gives this outcome; null: none does. */
  readonly fitting: SerialOutcome | null;
  /** Those that it might be. */
  readonly possible: readonly SerialOutcome[];
}

export interface Misfit {
  /** The serial order that comes nearest. */
  readonly nearest: SerialOutcome | null;
  /** An order gives this outcome in which something comes before what had ended when it began. */
  readonly onlyAgainstTime: boolean;
}

/** null: some serial order gives this outcome. */
export function judge(...of: Parameters<typeof weigh>): Misfit | null {
  const { fitting, ...misfit } = weigh(...of);
  return fitting ? null : misfit;
}

export function weigh(
  { outcome, refused, began, ended }: OverlapRun,
  serial: readonly SerialOutcome[],
  { operations, order = 'real-time', mask = [] }: Pick<Declared<any>, 'operations' | 'order' | 'mask'>,
  calls: readonly OperationCall[],
  rules = ALL_ORACLE_RULES,
): Weighed {
  // A measure is one in each order, though a small number may be the same by chance wherever that was executed.
  const measured = serial.flatMap(({ samples }) => measures(samples as unknown as readonly Canonical[]));
  const masks = [...mask.map((path) => path.split('.')), ...(rules.masks ? measured : [])];
  const isRead = (call: number): boolean => operations[calls[call]!.operation]!.reads === true;
  const mayPrecede = (a: number, b: number): boolean => {
    if (order === 'program') return true;
    if (ended[b]! < began[a]!) return false;
    return order !== 'issued' || isRead(a) || isRead(b) || began[a]! < began[b]!;
  };
  const counters = rules.counters ? counterPaths(serial) : [];
  const against = (one: SerialOutcome, given: CanonicalOutcome): number => {
    const samples = rules.masks ? one.samples : one.samples.slice(0, 1);
    return differences(
      comparable(given, refused),
      samples.map((sample) => comparable(sample, refused)),
      masks,
    ).length;
  };
  /** In how many parts it is otherwise, by whatever numbers its calls have. */
  const differ = (one: SerialOutcome): number => {
    const named = counters.flatMap((path) => renumbered(outcome, one.samples[0]!, one.order, path) ?? []);
    return named.some((given) => against(one, given) === 0) ? 0 : against(one, outcome);
  };
  let nearest: SerialOutcome | null = null;
  let least = Number.POSITIVE_INFINITY;
  let onlyAgainstTime = false;
  let fitting: SerialOutcome | null = null;
  const possible: SerialOutcome[] = [];
  for (const one of serial) {
    const without = calls.keys().filter((call) => !one.order.includes(call));
    if (rules.refusals && [...without].join() !== refused.join()) continue;
    const found = differ(one);
    const isPossible = one.order.every((a, at) => one.order.slice(at + 1).every((b) => mayPrecede(a, b)));
    if (isPossible) possible.push(one);
    if (found === 0 && isPossible) fitting ??= one;
    else if (found === 0) onlyAgainstTime = true;
    else if (isPossible && found < least) [nearest, least] = [one, found];
  }
  return { fitting, nearest, onlyAgainstTime, possible };
}

/** What a call gave that was refused does not count. */
const comparable = ({ results, then }: CanonicalOutcome, refused: readonly number[]): Canonical => ({
  results: results.map((result, call) => (refused.includes(call) ? null : (result as Canonical))),
  then,
});
