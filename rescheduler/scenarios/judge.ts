/**
 * The oracle: an execution is correct if some serial order of its operations gives the same outcome (Line-Up, Burckhardt et
 * al., PLDI 2010, section 2; the serial orders were executed before, and several times). It departs from that in what may
 * be anything: see compare.ts.
 */
import type { Canonical, CanonicalOutcome, SerialOutcome } from '../../data/scenario.ts';
import type { Scenario } from '../../harnesses/api.ts';
import { type Difference, differences } from './compare.ts';
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

export interface Misfit {
  /** The serial order that comes nearest, and what is otherwise here. */
  readonly nearest: SerialOutcome | null;
  readonly differences: readonly Difference[];
  /** An order gives this outcome in which something comes before what had ended when it began. */
  readonly onlyAgainstTime: boolean;
}

/** null: some serial order gives this outcome. */
export function judge(
  { outcome, refused, began, ended }: OverlapRun,
  serial: readonly SerialOutcome[],
  { operations, order = 'real-time', mask = [] }: Pick<Scenario, 'operations' | 'order' | 'mask'>,
  calls: readonly OperationCall[],
  rules = ALL_ORACLE_RULES,
): Misfit | null {
  const masks = mask.map((path) => path.split('.'));
  const isRead = (call: number): boolean => operations[calls[call]!.operation]!.reads === true;
  const mayPrecede = (a: number, b: number): boolean => {
    if (order === 'program') return true;
    if (ended[b]! < began[a]!) return false;
    return order !== 'issued' || isRead(a) || isRead(b) || began[a]! < began[b]!;
  };
  const counters = rules.counters ? counterPaths(serial) : [];
  const against = (one: SerialOutcome, given: CanonicalOutcome): Difference[] => {
    const samples = rules.masks ? one.samples : one.samples.slice(0, 1);
    return differences(
      comparable(given, refused),
      samples.map((sample) => comparable(sample, refused)),
      masks,
    );
  };
  const differ = (one: SerialOutcome): Difference[] => {
    const found = against(one, outcome);
    if (found.length === 0) return found;
    for (const path of counters) {
      const named = renumbered(outcome, one.samples[0]!, one.order, path);
      if (named && against(one, named).length === 0) return [];
    }
    return found;
  };
  let nearest: SerialOutcome | null = null;
  let least: readonly Difference[] = [];
  let onlyAgainstTime = false;
  for (const one of serial) {
    const without = calls.keys().filter((call) => !one.order.includes(call));
    if (rules.refusals && [...without].join() !== refused.join()) continue;
    const found = differ(one);
    const isPossible = one.order.every((a, at) => one.order.slice(at + 1).every((b) => mayPrecede(a, b)));
    if (found.length === 0 && isPossible) return null;
    if (found.length === 0) onlyAgainstTime = true;
    else if (isPossible && (!nearest || found.length < least.length)) [nearest, least] = [one, found];
  }
  return { nearest, differences: least, onlyAgainstTime };
}

/** What a call gave that was refused does not count. */
const comparable = ({ results, then }: CanonicalOutcome, refused: readonly number[]): Canonical => ({
  results: results.map((result, call) => (refused.includes(call) ? null : (result as Canonical))),
  then,
});
