/** A run event by event, with a column for each task: what `unweave replay --trace` prints. */
import { isOfRuntime } from '../data/runtime-timers.ts';
import { EventKind, type Trace } from '../data/trace.ts';
import { count } from './layout.ts';
import { stepPhrase } from './phrase.ts';
import { taskNames } from './rows.ts';
import type { Style } from './style.ts';

export interface TraceRow {
  readonly task: string;
  /** `reads Account#balance`, `asks for fs.readFile a.json`. */
  readonly what: string;
  /** `src/bank.ts:4`; empty: not known. */
  readonly at: string;
  /** A turn of the event loop begins here. */
  readonly isTurn: boolean;
}

/** Tasks that have a column; of more each line begins with its task. */
const MAX_COLUMNS = 9;

const ACCESSES: Partial<Record<EventKind, string>> = {
  [EventKind.Read]: 'reads',
  [EventKind.Write]: 'writes',
};
const LOCKS: Partial<Record<EventKind, string>> = {
  [EventKind.Acquire]: 'takes',
  [EventKind.Release]: 'gives back',
};

/** Everything that was recorded, but what Node does for itself and where stretches of code begin. */
export function traceRows(trace: Trace): TraceRow[] {
  const { events } = trace;
  const taskOf = taskNames(trace);
  const rows: TraceRow[] = [];
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i] as EventKind;
    const object = events.object[i] as number;
    const what = whatOf(trace, kind, object);
    if (what === null) continue;
    const site = trace.sites[events.site[i] as number];
    const at = site ? `${site.file}:${site.line}` : '';
    rows.push({ task: taskOf(events.activation[i] as number), what, at, isTurn: kind === EventKind.Turn });
  }
  return rows;
}

function whatOf(trace: Trace, kind: EventKind, object: number): string | null {
  const access = ACCESSES[kind];
  if (access) return `${access} ${trace.entities[object]?.name ?? '?'}`;
  const lock = LOCKS[kind];
  if (lock) return `${lock} ${trace.locks[object]?.name ?? '?'}`;
  if (kind === EventKind.Wait) return 'asks for a lock';
  const request = trace.requests[object];
  if (kind === EventKind.Job || !request || isOfRuntime(request)) return null;
  const what = `${request.api} ${request.what}`.trim();
  if (kind === EventKind.Issue) return `asks for ${what}`;
  const place = trace.sites[request.site];
  return stepPhrase({ kind: kind === EventKind.Effect ? 'effect' : 'deliver', what, site: place ?? null });
}

/** A line for each event, whose text stands behind the columns: what happens is longer than a column is wide. */
export function renderTrace(rows: readonly TraceRow[], { colors }: Style): string[] {
  const tasks = [...new Set(rows.map(({ task }) => task))];
  const names = tasks.slice(0, MAX_COLUMNS);
  const digits = String(rows.length).length;
  const column = (task: string): number => tasks.indexOf(task);
  const lanes = (of: number): string =>
    names.map((_, at) => (at === of ? String(at + 1) : '·').padStart(3)).join('');
  const lines = rows.map(({ task, what, at, isTurn }, n) => {
    const of = column(task);
    const named = of < names.length ? what : `${task}: ${what}`;
    const place = at === '' ? '' : colors.dim(`  ${at}`);
    return `${String(n + 1).padStart(digits)} ${lanes(of)}  ${isTurn ? '→' : ' '} ${named}${place}`;
  });
  const more = tasks.length - names.length;
  return [
    ...names.map((task, at) => colors.bold(`task ${at + 1}: ${task}`)),
    ...(more > 0 ? [`and ${more} more, named in their lines`] : []),
    '',
    ...lines,
    `${count(rows.length, 'event')} of ${count(tasks.length, 'task')}${rows.some(({ isTurn }) => isTurn) ? '; → a turn of the event loop begins' : ''}`,
  ];
}
