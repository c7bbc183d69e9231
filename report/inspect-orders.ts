/** Predicted orders that no three accesses stand for: two steps that change places, time-outs that go off, locks that get stuck. */
import Table from 'cli-table3';
import type { Verdict } from '../data/verdicts.ts';
import { code } from './entity.ts';
import { ink } from './ink.ts';
import { count, hang, shorten } from './layout.ts';
import { place } from './phrase.ts';
import type { Style } from './style.ts';
import type { Place, StepRow } from './view.ts';

const ORDER_KINDS = ['reordered pair', 'two variables', 'time-out', 'lock cycle', 'further order'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** One of the two steps whose order matters. */
export interface OrderedStep {
  readonly task: string;
  /** `reads Account#balance`, `setTimeout 100 ms fires`. */
  readonly what: string;
  readonly at: Place | null;
}

export interface InspectOrder {
  /** Of its schedule. */
  readonly id: string;
  readonly kind: OrderKind;
  readonly testTitle: string;
  readonly entity: string | null;
  /** Comes first in this order and second in the observed one; null where no two steps changed places. */
  readonly first: OrderedStep | null;
  readonly second: OrderedStep | null;
  /** Why it was predicted: a sentence. */
  readonly why: string;
  readonly stallMs: number;
  /** null: not run. */
  readonly verdict: Verdict | null;
  readonly steps: readonly StepRow[];
  readonly bug: string | null;
}

const told = (step: OrderedStep | null): string =>
  step ? `${step.task} ${step.what}${step.at ? ` ${place(step.at)}` : ''}` : '';

export function renderOrders(orders: readonly InspectOrder[], { colors, width }: Style): string[] {
  const idWidth = Math.max(4, ...orders.map(({ id }) => id.length));
  const rest = width - idWidth - 16 - 13 - 8;
  const table = new Table({
    head: ['id', 'kind', 'this now before that', 'verdict'].map((text) => colors.bold(text)),
    style: { head: [], border: [], compact: true },
    colWidths: [idWidth + 2, 16, rest, 13],
    wordWrap: true,
  });
  for (const { id, kind, first, second, verdict } of orders)
    table.push([
      id,
      kind,
      [first, second].map((step) => shorten(told(step), 2 * rest)).join('\n'),
      verdict ?? 'not run',
    ]);
  const total = count(orders.length, 'order');
  return [...table.toString().split('\n'), `${total} that no cut point stands for`];
}

export function renderOrder(order: InspectOrder, style: Style): string[] {
  const { id, kind, testTitle, entity, first, second, why, stallMs, verdict, steps, bug } = order;
  const line = (text: string): string[] => hang('  ', text, style.width).map((part) => ink(part, style));
  const step = (text: string, of: OrderedStep | null): string[] =>
    of ? line(`${text} ${code(of.task)} ${of.what}${of.at ? ` at ${place(of.at)}` : ''}`) : [];
  return [
    style.colors.bold(`${id}  ${kind}${entity === null ? '' : ` on ${entity}`}`),
    ...line(testTitle),
    '',
    ...step('first', first),
    ...step('then', second),
    '',
    ...line(`predicted: ${why}`),
    ...line(stallMs > 0 ? `stall ${Math.ceil(stallMs)} ms` : 'no stall'),
    ...line(`verdict: ${verdict ?? 'not run'}${bug ? `, bug ${bug}` : ''}`),
    ...line(`schedule: ${count(steps.length, 'step')} of the host`),
  ];
}

/** How many there are of each kind. */
export const orderCounts = (orders: readonly InspectOrder[]): Record<OrderKind, number> =>
  Object.fromEntries(
    ORDER_KINDS.map((kind) => [kind, orders.filter((order) => order.kind === kind).length]),
  ) as Record<OrderKind, number>;
