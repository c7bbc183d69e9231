/** What is said of an outcome that no serial order gives. */
import { isDeepStrictEqual } from 'node:util';
import type { CanonicalOutcome, CanonicalResult, SerialOutcome } from '../../data/scenario.ts';
import { canonical, shown, shownError } from './canonical.ts';
import { judge, type Misfit, type OverlapRun } from './judge.ts';
import { callText, type OperationCall, type PlannedScenario } from './plan.ts';
import { ALL_ORACLE_RULES } from './rules.ts';

/** No serial order gives this outcome. */
export class NotSerializable extends Error {
  override readonly name = 'NotSerializable';
  readonly code = 'ERR_ASSERTION';

  constructor(message: string) {
    super(message);
    // Where it was judged says nothing.
    this.stack = '';
  }
}

/** Orders beyond these are counted. */
const MOST_ORDERS = 6;
const MOST_TEXT = 300;
const NOTHING = canonical(undefined);

/** What is to be said of an execution. */
export interface ScenarioVerdict {
  /** null: some serial order gives this outcome, or the user allows it. */
  readonly error: NotSerializable | null;
  /** Why the user allows it. */
  readonly allowed?: string;
}

/** Judges an execution of a scenario by what its serial orders give. */
export function verdictOf(
  { spec, calls }: Pick<PlannedScenario, 'spec' | 'calls'>,
  run: OverlapRun,
  serial: readonly SerialOutcome[],
  rules = ALL_ORACLE_RULES,
): ScenarioVerdict {
  const misfit = judge(run, serial, spec, calls, rules);
  if (!misfit) return { error: null };
  const allowed = spec.allow?.(run.outcome) ?? false;
  return allowed === false
    ? { error: notSerializable(run, misfit, calls, serial) }
    : { error: null, allowed };
}

/** The first line is the same for all such outcomes of a scenario. */
function notSerializable(
  { outcome, refused }: OverlapRun,
  { nearest, onlyAgainstTime }: Misfit,
  calls: readonly OperationCall[],
  serial: readonly SerialOutcome[],
): NotSerializable {
  const texts = calls.map(callText);
  const told = serial.filter(
    (one) => one.order.length === calls.length - refused.length && (!one.isRested || one === nearest),
  );
  const width = Math.max(0, ...told.map((one) => orderText(one, texts).length));
  const rows = told.slice(0, MOST_ORDERS).map((one) => {
    const [sample] = one.samples as [CanonicalOutcome];
    const mark = one === nearest ? '   ← nearest' : '';
    return `  ${orderText(one, texts).padEnd(width)}  ${outcomeText(sample, texts, one.order)}${mark}`;
  });
  const left = told.length - rows.length;
  const lines = [
    `no serial order of these ${calls.length} operations gives this outcome`,
    ...(onlyAgainstTime
      ? ['  but for one in which a call comes before another that had ended before it began']
      : []),
    `  ${'this run'.padEnd(width)}  ${outcomeText(outcome, texts, [...calls.keys()])}`,
    ...rows,
    ...(left > 0 ? [`  … and ${left} more orders`] : []),
  ];
  return new NotSerializable(lines.join('\n'));
}

const orderText = ({ order }: SerialOutcome, texts: readonly string[]): string =>
  order.map((call) => texts[call]).join(' < ');

function outcomeText(
  { results, then }: CanonicalOutcome,
  texts: readonly string[],
  of: readonly number[],
): string {
  const told = of.map((call) => `${texts[call]} ${resultText(results[call]!)}`);
  const text = [...told, `then ${shown(then)}`].join('; ');
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;
}

function resultText(result: CanonicalResult): string {
  if (result === 'never settled') return 'never settles';
  if ('value' in result && isDeepStrictEqual(result.value, NOTHING)) return 'ends';
  return 'value' in result ? `gives ${shown(result.value)}` : `rejects with ${shownError(result.rejects)}`;
}
