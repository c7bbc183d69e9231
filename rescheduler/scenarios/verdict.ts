/** What is said of an outcome that no serial order gives. */
import type { SerialOutcome } from '../../data/scenario.ts';
import { judge, type Misfit, type OverlapRun } from './judge.ts';
import { callText, type PlannedScenario } from './plan.ts';
import { refusalLines } from './refusals.ts';
import { outcomeRows } from './rows.ts';
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
    ? { error: notSerializable(run, misfit, { spec, calls }, serial) }
    : { error: null, allowed };
}

/** The first line is the same for all such outcomes of a scenario. */
function notSerializable(
  run: OverlapRun,
  { nearest, onlyAgainstTime }: Misfit,
  { spec, calls }: Pick<PlannedScenario, 'spec' | 'calls'>,
  serial: readonly SerialOutcome[],
): NotSerializable {
  const texts = calls.map(callText);
  const fitting = serial.filter(
    (one) => one.order.length === calls.length - run.refused.length && (!one.isRested || one === nearest),
  );
  const told = firstOf(fitting, nearest);
  const width = Math.max(0, ...told.map((one) => orderText(one, texts).length));
  const { rows, alike } = outcomeRows(
    [
      { of: [...calls.keys()], samples: [run.outcome] },
      ...told.map(({ order, samples }) => ({ of: order, samples })),
    ],
    texts,
    spec.mask,
  );
  const left = fitting.length - told.length;
  const lines = [
    `no serial order of these ${calls.length} operations gives this outcome`,
    ...(onlyAgainstTime
      ? ['  but for one in which a call comes before another that had ended before it began']
      : []),
    `  ${'this run'.padEnd(width)}  ${rows[0]}`,
    ...told.map((one, at) => {
      const mark = one === nearest ? '   ← nearest' : '';
      return `  ${orderText(one, texts).padEnd(width)}  ${rows[at + 1]}${mark}`;
    }),
    ...(left > 0 ? [`  … and ${left} more orders`] : []),
    ...(alike === '' ? [] : [`  in each of them  ${alike}`]),
    ...refusalLines(run, spec, calls, serial).map((line) => `  ${line}`),
  ];
  return new NotSerializable(lines.join('\n'));
}

/** As many as are told, and the one that is nearest. */
function firstOf(orders: readonly SerialOutcome[], nearest: SerialOutcome | null): SerialOutcome[] {
  const first = orders.slice(0, MOST_ORDERS);
  return nearest === null || !orders.includes(nearest) || first.includes(nearest)
    ? first
    : [...first.slice(0, -1), nearest];
}

const orderText = ({ order }: SerialOutcome, texts: readonly string[]): string =>
  order.map((call) => texts[call]).join(' < ');
