/** What `unweave inspect` shows: a table of cut points, or one of them in detail. */
import Table from 'cli-table3';
import type { Verdict } from '../data/verdicts.ts';
import type { RenderContext } from './bug.ts';
import { code } from './entity.ts';
import { renderExcerpts } from './excerpt.ts';
import { heading, ink, MARKS } from './ink.ts';
import { type InspectOrder, orderCounts, renderOrder, renderOrders } from './inspect-orders.ts';
import { count, hang, indent, shorten } from './layout.ts';
import { place, verb } from './phrase.ts';
import { renderSpaceTime } from './spacetime.ts';
import type { Style } from './style.ts';
import { type InspectTriple, renderTriple } from './triple.ts';
import type { CutPointView, Role, StepRow } from './view.ts';

/** A schedule made for a cut point, and what became of it. */
export interface InspectSchedule {
  readonly id: string;
  readonly moves: number;
  readonly switches: number;
  readonly stallMs: number;
  /** null: not run. */
  readonly verdict: Verdict | null;
  readonly steps: readonly StepRow[];
}

/** A lock held at an access, and the locks taken since it was taken. */
export interface ShownLock {
  readonly name: string;
  /** Acquisition history; absent where it was not recorded. */
  readonly since?: readonly string[];
}

/** A cut point with all that is known of it. */
export interface InspectCutPoint {
  readonly cutPoint: CutPointView;
  /** `test/a.test.ts › outer > inner`. */
  readonly testTitle: string;
  /** The activation that is the transaction, for people. */
  readonly transaction: string;
  readonly locks: { readonly first: readonly ShownLock[]; readonly remote: readonly ShownLock[] };
  readonly rank: number;
  readonly reasons: readonly string[];
  readonly schedules: readonly InspectSchedule[];
  /** Id of the bug that it shows, if any. */
  readonly bug: string | null;
}

/** The answer to `unweave inspect`. */
export interface InspectView {
  readonly cutPoints: readonly InspectCutPoint[];
  /** What was predicted beside cut points. */
  readonly orders: readonly InspectOrder[];
  /** Where three places were asked for: what runs there; else null. */
  readonly triples: readonly InspectTriple[] | null;
  /** What was asked for, as given. */
  readonly filters: readonly string[];
}

const ROLES: readonly Role[] = ['first', 'remote', 'second'];
/** What says most first; null: not run. */
export const VERDICT_ORDER: readonly (Verdict | null)[] = [
  'confirmed',
  'deadlock',
  'conditional',
  'passed',
  'unknown',
  'diverged',
  'infeasible',
  null,
];

/** The verdict that says most about a cut point; null: no schedule was run. */
function bestVerdict({ schedules }: InspectCutPoint): Verdict | null {
  return VERDICT_ORDER.find((verdict) => schedules.some((schedule) => schedule.verdict === verdict)) ?? null;
}

function renderList(cutPoints: readonly InspectCutPoint[], { style }: RenderContext): string[] {
  const idWidth = Math.max(4, ...cutPoints.map(({ cutPoint }) => cutPoint.id.length));
  const rest = style.width - idWidth - 7 - 13 - 10;
  const table = new Table({
    head: ['id', 'shape', 'entity', 'accesses (① ② ③)', 'verdict'].map((text) => style.colors.bold(text)),
    style: { head: [], border: [], compact: true },
    colWidths: [idWidth + 2, 7, Math.floor(rest * 0.4), Math.ceil(rest * 0.6), 13],
    wordWrap: true,
  });
  for (const item of cutPoints) {
    const { cutPoint } = item;
    table.push([
      cutPoint.id,
      cutPoint.pattern,
      shorten(cutPoint.entity, Math.floor(rest * 0.4) - 2),
      ROLES.map((role) => `${cutPoint[role].task} ${place(cutPoint[role])}`).join('\n'),
      bestVerdict(item) ?? 'not run',
    ]);
  }
  const total = count(cutPoints.length, 'cut point');
  return [...table.toString().split('\n'), `${total}; "unweave inspect <id>" shows one of them`];
}

function lockLine(held: readonly ShownLock[]): string {
  if (held.length === 0) return 'no lock';
  return held
    .map(({ name, since }) => name + (since && since.length > 0 ? ` (since then: ${since.join(', ')})` : ''))
    .join(', ');
}

function scheduleLines(schedule: InspectSchedule, item: InspectCutPoint, context: RenderContext): string[] {
  const { style, read } = context;
  const stall = schedule.stallMs > 0 ? `stall ${Math.ceil(schedule.stallMs)} ms` : 'no stall';
  const parts = [count(schedule.moves, 'move'), count(schedule.switches, 'switch', 'switches'), stall];
  const title = `schedule ${schedule.id}: ${schedule.verdict ?? 'not run'} (${parts.join(', ')})`;
  const table = renderSpaceTime(item.cutPoint, schedule.steps, new Set(), new Set(), read, narrower(style));
  if (schedule.steps.length === 0) return ['', `  ${heading(title, style)}`];
  return ['', `  ${heading(title, style)}`, ...indent(table, '    ')];
}

const narrower = (style: Style): Style => ({ ...style, width: style.width - 4 });

function renderDetail(item: InspectCutPoint, context: RenderContext): string[] {
  const { style, read } = context;
  const { cutPoint: cut } = item;
  const line = (text: string) => hang('  ', text, style.width).map((part) => ink(part, style));
  const out = [
    style.colors.bold(`${cut.id}  ${cut.pattern} on ${cut.entity}`),
    ...line(item.testTitle),
    '',
    ...ROLES.flatMap((role) => {
      const access = cut[role];
      return line(
        `${MARKS[role]} ${code(access.task)} ${verb(access.access)} at ${place(access)} in ${access.fn}`,
      );
    }),
    '',
    ...indent(renderExcerpts(cut, read, style), '  '),
    '',
    ...line(`transaction: ${item.transaction}`),
    ...line(`locks at ①: ${lockLine(item.locks.first)}`),
    ...line(`locks at ②: ${lockLine(item.locks.remote)}`),
    ...line(`rank ${item.rank}${item.reasons.length > 0 ? `: ${item.reasons.join(', ')}` : ''}`),
    ...line(`verdict: ${bestVerdict(item) ?? 'not run'}${item.bug ? `, bug ${item.bug}` : ''}`),
  ];
  if (item.schedules.length === 0)
    out.push(...line('no schedule of its own: the recorded order or that of another cut point shows it'));
  for (const schedule of item.schedules) out.push(...scheduleLines(schedule, item, context));
  return out;
}

/** Renders the answer as text that ends with a newline: one prediction in detail, several as tables. */
export function renderInspect(view: InspectView, context: RenderContext): string {
  const { cutPoints, filters, orders, triples } = view;
  const [only] = cutPoints;
  const [order] = orders;
  let lines: string[];
  if (triples !== null)
    return triples.length === 0
      ? 'no three accesses at these places form a pattern\n'
      : `${triples.map((triple) => renderTriple(triple).join('\n')).join('\n\n')}\n`;
  if (!only && !order) {
    const asked =
      filters.length > 0 ? ` matches ${filters.map((text) => JSON.stringify(text)).join(' ')}` : '';
    lines = [asked === '' ? 'no cut points in this store' : `no cut point${asked}`];
  } else if (only && cutPoints.length === 1 && !order) lines = renderDetail(only, context);
  else if (!only && order && orders.length === 1) lines = renderOrder(order, context.style);
  else
    lines = [
      ...(only ? renderList(cutPoints, context) : []),
      ...(only && order ? [''] : []),
      ...(order ? renderOrders(orders, context.style) : []),
    ];
  return `${lines.join('\n')}\n`;
}

/** The same as JSON. */
export function inspectJson({ cutPoints, orders, triples }: InspectView): unknown {
  const rows = cutPoints.map((item) => ({ ...item, verdict: bestVerdict(item) }));
  const counts = { 'cut point': rows.length, ...orderCounts(orders) };
  return { version: 1, counts, cutPoints: rows, orders, ...(triples ? { triples } : {}) };
}
