/** The space-time diagram: a lane for each task, time downwards; drawn once, as static SVG. */
import { MARKS } from '../ink.ts';
import { shorten, shortenStart } from '../layout.ts';
import { place, stepPhrase, verb } from '../phrase.ts';
import { type SourceReader, sourceLine } from '../sources.ts';
import { type BugView, entityOf, type OrderTimeline, type Role, type StepRow } from '../view.ts';
import { type Markup, markup, NOTHING } from './markup.ts';

const MAX_LANES = 6;
/** Up to so many rows nothing is folded. */
const UNFOLDED = 16;
/** Where more matter, those with a role and the first of the others. */
const MAX_ROWS = 28;
const WIDTH = 940;
const GUTTER = 48;
const HEAD = 34;
const ROW = 28;
const ACCESS = 58;
const FOLD = 24;
/** Room in a lane beside the boxes: arrows of requests to the left, bars of locks to the right. */
const ARROWS = 26;
const BARS = 14;
const CHARACTER = 6.9;
/** What is bold is wider. */
const BOLD = 0.9;

/** A row that is drawn, or how many are folded here. */
type Drawn =
  | { readonly row: StepRow; readonly at: number; readonly y: number; readonly height: number }
  | { readonly folded: number; readonly at: number; readonly y: number; readonly height: number };

/** The order as it can be drawn. `isBare`: of the accesses only their order is known, and not what lies between them. */
function drawable({ timeline, failing, cutPoint }: BugView): OrderTimeline & { readonly isBare: boolean } {
  const known = timeline ?? {
    rows: failing.map((row, at) => ({ ...row, at })),
    total: failing.length,
    requests: [],
    locks: [],
  };
  const roles: readonly Role[] = ['first', 'remote', 'second'];
  if (!cutPoint || roles.every((role) => known.rows.some((row) => row.role === role)))
    return { ...known, isBare: false };
  const rows = roles.map((role, at): StepRow => {
    const access = cutPoint[role];
    return { task: access.task, what: access.text, site: access, kind: 'access', role, at };
  });
  return { rows, total: rows.length, requests: [], locks: [], isBare: true };
}

/** Rows that tell the finding. */
function shownRows(order: OrderTimeline, matters: ReadonlySet<number>): readonly StepRow[] {
  if (order.total <= UNFOLDED) return order.rows;
  const told = order.rows.filter((row) => row.role || matters.has(row.at ?? -1));
  if (told.length > MAX_ROWS) {
    const few = new Set(told.filter((row) => !row.role).slice(0, MAX_ROWS / 2));
    return told.filter((row) => row.role || few.has(row));
  }
  return told.length > 0 ? told : order.rows.slice(0, UNFOLDED);
}

function laidOut(order: OrderTimeline, matters: ReadonlySet<number>): Drawn[] {
  const drawn: Drawn[] = [];
  let y = HEAD;
  let next = 0;
  const add = (what: { row: StepRow } | { folded: number }, at: number, height: number): void => {
    drawn.push({ ...what, at, y, height });
    y += height;
  };
  for (const row of shownRows(order, matters)) {
    const at = row.at ?? next;
    if (at > next) add({ folded: at - next }, next, FOLD);
    add({ row }, at, row.role ? ACCESS : ROW);
    next = at + 1;
  }
  if (order.total > next) add({ folded: order.total - next }, next, FOLD);
  return drawn;
}

/** Tasks of the accesses first, then those of the other rows that are drawn. */
function lanesOf(drawn: readonly Drawn[]): string[] {
  const rows = drawn.flatMap((one) => ('row' in one ? [one.row] : []));
  const leading = rows.filter(({ role }) => role).map(({ task }) => task);
  return [...new Set([...leading, ...rows.map(({ task }) => task)])];
}

/** The middle of the row that is drawn for a place in the order, or of the fold that holds it. */
function heightOf(drawn: readonly Drawn[], at: number): number {
  const found = drawn.findLast((one) => one.at <= at);
  return found ? found.y + found.height / 2 : HEAD - 8;
}

export interface Diagram {
  readonly svg: Markup;
  /** What the picture says, for those who do not see it and for stepping through it. */
  readonly lines: readonly string[];
  readonly folded: number;
  /** Only the order of the accesses is known, and not what lies between them. */
  readonly isBare: boolean;
}

export function diagram(
  view: BugView,
  id: string,
  { moved, pair }: { readonly moved: ReadonlySet<number>; readonly pair: ReadonlySet<number> },
  read: SourceReader,
): Diagram {
  const order = drawable(view);
  const { isBare } = order;
  const drawn = laidOut(order, moved.union(pair));
  const all = lanesOf(drawn);
  const lanes = all.slice(0, MAX_LANES);
  if (lanes.length === 0) return { svg: NOTHING, lines: [], folded: 0, isBare };
  const width = (WIDTH - GUTTER) / lanes.length;
  const left = (task: string): number => GUTTER + lanes.indexOf(task) * width;
  const room = Math.floor((width - ARROWS - BARS - 16) / CHARACTER);
  const bottom = drawn.at(-1)!.y + drawn.at(-1)!.height;
  const lines: string[] = [];
  const body = drawn.map((one) => {
    if ('folded' in one)
      return markup`<g class="fold"><line x1="${GUTTER}" x2="${WIDTH}" y1="${one.y + FOLD / 2}" y2="${one.y + FOLD / 2}"/><text x="${WIDTH - 10}" y="${one.y + FOLD / 2 + 4}">${one.folded} ${one.folded === 1 ? 'step' : 'steps'} folded</text></g>`;
    const { row, at, y, height } = one;
    if (!lanes.includes(row.task)) return NOTHING;
    const cut = view.cutPoint;
    const access = row.role && cut ? cut[row.role] : null;
    const x = left(row.task) + ARROWS;
    const boxed = width - ARROWS - BARS - 4;
    const said =
      access && row.role && cut
        ? `${MARKS[row.role]} ${row.task} ${verb(access.access)} ${entityOf(cut, row.role)} at ${place(access)}`
        : `${row.task}: ${stepPhrase(row)}${moved.has(at) ? ' (moved)' : ''}`;
    lines.push(`${at + 1}. ${said}`);
    const kind = row.role ? `role ${row.role}` : moved.has(at) ? 'moved' : row.kind;
    const text =
      access && row.role && cut
        ? [
            markup`<text class="mark" x="${x + 9}" y="${y + 19}">${MARKS[row.role]}</text>`,
            markup`<text class="what" x="${x + 28}" y="${y + 18}">${shorten(`${verb(access.access)} ${entityOf(cut, row.role)}`, room - 3)}</text>`,
            markup`<text class="src" x="${x + 28}" y="${y + 33}">${shorten(sourceLine(read, access, room - 3) ?? access.text, room - 3)}</text>`,
            markup`<text class="at" x="${x + 28}" y="${y + 47}">${shortenStart(place(access), room - 3)}</text>`,
          ]
        : [
            markup`<text class="what" x="${x + 9}" y="${y + 18}">${shorten(`${moved.has(at) ? '→ ' : ''}${stepPhrase(row)}`, moved.has(at) ? Math.floor(room * BOLD) : room)}</text>`,
          ];
    return markup`<g class="st ${kind}" data-step="${lines.length}"><title>${said}</title><text class="no" x="${GUTTER - 8}" y="${y + 18}">${at + 1}</text><rect x="${x}" y="${y + 3}" width="${boxed.toFixed(1)}" height="${height - 6}" rx="4"/>${text}</g>`;
  });
  const heads = lanes.map(
    (task) =>
      markup`<text class="lane" x="${left(task) + ARROWS}" y="18">${shorten(task, room)}</text><line class="life" x1="${left(task) + ARROWS + 4}" x2="${left(task) + ARROWS + 4}" y1="${HEAD - 8}" y2="${bottom}"/>`,
  );
  const more =
    all.length > lanes.length
      ? markup`<text class="no" x="${WIDTH}" y="18">${all.length - lanes.length} more tasks are not drawn</text>`
      : NOTHING;
  const svg = markup`<svg viewBox="0 0 ${WIDTH} ${bottom + 8}" role="img" aria-labelledby="${id}-t" class="order"><title id="${id}-t">The failing order: ${lines.length} steps of ${lanes.length} tasks, in words below</title>${heads}${more}${requests(order, drawn, lanes, left)}${locks(order, drawn, lanes, left, width)}${switches(drawn, lanes, left)}${body}</svg>`;
  const folded = drawn.reduce((sum, one) => sum + ('folded' in one ? one.folded : 0), 0);
  return { svg, lines, folded, isBare };
}

/** From where the program asks, through the effect, to the answer. */
function requests(
  { requests: spans }: OrderTimeline,
  drawn: readonly Drawn[],
  lanes: readonly string[],
  left: (task: string) => number,
): Markup[] {
  const steps = new Set(drawn.flatMap((one) => ('row' in one && one.row.kind !== 'access' ? [one.at] : [])));
  const told = spans.filter(
    ({ task, effect, delivered }) =>
      lanes.includes(task) && (steps.has(effect ?? -1) || steps.has(delivered ?? -1)),
  );
  return told.slice(0, 40).map(({ task, issued, effect, delivered }, nth) => {
    const x = left(task) + 6 + (nth % 3) * 6;
    const from = heightOf(drawn, issued);
    const to = heightOf(drawn, delivered ?? effect ?? issued);
    const end = left(task) + ARROWS;
    const tick =
      effect !== null ? markup`<circle cx="${x}" cy="${heightOf(drawn, effect)}" r="2.6"/>` : NOTHING;
    const head =
      delivered !== null && steps.has(delivered)
        ? markup`<path class="tip" d="M${end} ${to}l-6 -3.5v7z"/>`
        : NOTHING;
    return markup`<g class="req"><path d="M${end} ${from}H${x}V${to}H${end}"/>${tick}${head}</g>`;
  });
}

function locks(
  { locks: spans }: OrderTimeline,
  drawn: readonly Drawn[],
  lanes: readonly string[],
  left: (task: string) => number,
  width: number,
): Markup[] {
  return spans
    .filter(({ task }) => lanes.includes(task))
    .slice(0, 20)
    .map(({ task, name, from, to }, nth) => {
      const y = heightOf(drawn, from);
      const end = to === null ? drawn.at(-1)!.y + drawn.at(-1)!.height : heightOf(drawn, to);
      const x = left(task) + width - BARS + (nth % 2) * 6;
      return markup`<rect class="lock" x="${x}" y="${y}" width="4" height="${Math.max(4, end - y)}" rx="2"><title>${task} holds ${name}</title></rect>`;
    });
}

/** Where the run goes over from the task of ① to another one, and back before ③. */
function switches(
  drawn: readonly Drawn[],
  lanes: readonly string[],
  left: (task: string) => number,
): Markup[] {
  const rows = drawn.flatMap((one) => ('row' in one && lanes.includes(one.row.task) ? [one] : []));
  const [first, remote, second] = (['first', 'remote', 'second'] as const).map((role) =>
    rows.findIndex(({ row }) => row.role === role),
  ) as [number, number, number];
  if (first < 0 || remote < 0 || second < 0) return [];
  const into = rows.findIndex(({ row }, at) => at > first && row.task !== rows[first]!.row.task);
  const back = rows.findIndex(({ row }, at) => at > remote && row.task === rows[second]!.row.task);
  return [into, back].flatMap((at) => {
    const to = rows[at];
    const from = rows[at - 1];
    if (!to || !from || to.row.task === from.row.task) return [];
    const x1 = left(from.row.task) + ARROWS + 4;
    const x2 = left(to.row.task) + ARROWS + 4;
    return [
      markup`<g class="switch"><line x1="${x1}" x2="${x2}" y1="${to.y}" y2="${to.y}"/><text x="${x2 + 8}" y="${to.y - 4}">${at === into ? 'forced switch' : 'and back'}</text></g>`,
    ];
  });
}
