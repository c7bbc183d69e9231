/** What is said of an outcome that no serial order gives. */
import type { SerialOutcome, ToldOutcome } from '../../data/scenario.ts';
import type { Declared } from '../../harnesses/api.ts';
import { judge, type Misfit, type OverlapRun, weigh } from './judge.ts';
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

/** Errors of calls, and that of a test that goes on behind them (`rescheduler/calls`). */
const HOW_REJECTED = ['results.*.rejects', 'then.the test fails.with'];
/** What is judged of a scenario. */
type JudgedScenario = Pick<PlannedScenario<Declared<any>>, 'spec' | 'calls' | 'anyError'>;

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
  { spec, calls, anyError = false }: JudgedScenario,
  run: OverlapRun,
  serial: readonly SerialOutcome[],
  rules = ALL_ORACLE_RULES,
): ScenarioVerdict {
  const judged = anyError ? { ...spec, mask: [...(spec.mask ?? []), ...HOW_REJECTED] } : spec;
  const misfit = judge(run, serial, judged, calls, rules);
  if (!misfit) return { error: null };
  const allowed = spec.allow?.(run.outcome) ?? false;
  return allowed === false
    ? { error: notSerializable(run, misfit, { spec, calls }, serial) }
    : { error: null, allowed };
}

/** The same for people who compare it themselves. */
export function toldOutcome(
  { spec, calls }: JudgedScenario,
  run: OverlapRun,
  serial: readonly SerialOutcome[],
): ToldOutcome {
  const { fitting, possible } = weigh(run, serial, spec, calls);
  const texts = calls.map(callText);
  // In the order of the calls, whichever order gives it.
  const made = [...calls.keys()].filter((call) => !run.refused.includes(call));
  const samples = [{ of: made, samples: [run.outcome] }, ...possible.map((one) => ({ ...one, of: made }))];
  const [own, ...others] = outcomeRows(samples, texts, spec.mask).rows as [string, ...string[]];
  const told = Object.fromEntries(possible.map((one, at) => [orderText(one, texts), others[at]!]));
  const given = fitting && others[possible.indexOf(fitting)]!;
  // What is told alike is not the same: parts of it stand to each other otherwise.
  const outcome = given ?? (Object.values(told).includes(own) ? `${own} (and not alike)` : own);
  // An order with a rest between its calls may give something else than the same without.
  return { outcome, serial: given === null ? told : { ...told, [orderText(fitting!, texts)]: given } };
}

/** The first line is the same for all such outcomes of a scenario. */
function notSerializable(
  run: OverlapRun,
  { nearest, onlyAgainstTime }: Misfit,
  { spec, calls }: JudgedScenario,
  serial: readonly SerialOutcome[],
): NotSerializable {
  const texts = calls.map(callText);
  const fitting = serial.filter(
    (one) =>
      one.order.length === calls.length - run.refused.length && (one.rests.length === 0 || one === nearest),
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
    ...distinct(
      told.map((one, at) => ({
        isNearest: one === nearest,
        text: `  ${orderText(one, texts).padEnd(width)}  ${rows[at + 1]}`,
      })),
    ),
    ...(left > 0 ? [`  … and ${left} more orders`] : []),
    ...(alike === '' ? [] : [`  in each of them  ${alike}`]),
    ...refusalLines(run, spec, calls, serial).map((line) => `  ${line}`),
  ];
  return new NotSerializable(lines.join('\n'));
}

/** With a rest between the calls, or with equal calls the other way round, an order often gives the same. */
function distinct(rows: readonly { readonly isNearest: boolean; readonly text: string }[]): string[] {
  const near = rows.find(({ isNearest }) => isNearest)?.text;
  return [...new Set(rows.map(({ text }) => text))].map((text) =>
    text === near ? `${text}   ← nearest` : text,
  );
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
