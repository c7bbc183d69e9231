/** An execution of threads in rows for people: the accesses that matter, and stretches of what lies between. */
import type { CutPoint } from '../../../data/prediction.ts';
import { rolesIn } from '../../../data/threads/roles.ts';
import { LOOP_POINT, stepWords } from '../../../data/threads/tasks.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import { parsePlace } from '../../../report/phrase.ts';
import type { TraceRow } from '../../../report/trace-table.ts';
import type { Role, StepRow } from '../../../report/view.ts';

/** Stretches of no more steps are shown step by step. */
const SHORT = 3;

const VERB: Readonly<Record<number, string>> = {
  [Op.Read]: 'reads',
  [Op.Write]: 'writes',
  [Op.Acquire]: 'takes',
  [Op.Release]: 'gives back',
  [Op.AcquireShared]: 'takes for reading',
  [Op.ReleaseShared]: 'gives back',
  [Op.Fork]: 'starts',
  [Op.Join]: 'sees the end of',
  [Op.Send]: 'signals',
  [Op.Receive]: 'is woken by',
  [Op.Arrive]: 'arrives at',
  [Op.Leave]: 'leaves',
};

const ROLES: readonly Role[] = ['first', 'remote', 'second'];

export function rowsOf(trace: ThreadTrace, cutPoint: CutPoint | null): StepRow[] {
  const found = cutPoint && rolesIn(trace, cutPoint);
  const roles = new Map(ROLES.flatMap((role) => (found ? [[found[role], role] as const] : [])));
  const rows: StepRow[] = [];
  let stretch: number[] = [];
  const flush = (): void => {
    if (stretch.length <= SHORT) for (const i of stretch) rows.push(rowOf(trace, i));
    else {
      const last = rowOf(trace, stretch.at(-1)!);
      rows.push({ ...last, what: `${stretch.length} steps, the last: ${last.what}` });
    }
    stretch = [];
  };
  const { events, names } = trace;
  const loop = names.points.indexOf(LOOP_POINT);
  for (let i = 0; i < events.length; i++) {
    if (events.op[i] === Op.Begin || events.op[i] === Op.End || events.point[i] === loop) continue;
    const role = roles.get(i);
    const before = stretch.at(-1);
    if (role || (before !== undefined && events.thread[before] !== events.thread[i])) flush();
    if (role) rows.push({ ...rowOf(trace, i), role });
    else stretch.push(i);
  }
  flush();
  return rows;
}

/** Every event, but where stretches of code begin and end. */
export function traceRowsOf(trace: ThreadTrace): TraceRow[] {
  const { events, names } = trace;
  const loop = names.points.indexOf(LOOP_POINT);
  const rows: TraceRow[] = [];
  for (let i = 0; i < events.length; i++) {
    if (events.op[i] === Op.Begin || events.op[i] === Op.End || events.point[i] === loop) continue;
    const { site, task, what } = rowOf(trace, i);
    rows.push({ task, what, at: site ? `${site.file}:${site.line}` : '', isTurn: false });
  }
  return rows;
}

/** One event. */
export function rowOf({ events, names }: ThreadTrace, i: number): StepRow {
  const op = events.op[i]!;
  const name = namesFor(op, names)[events.object[i]!]!;
  const what = stepWords(name) ?? `${VERB[op]} ${name}`;
  return {
    task: names.threads[events.thread[i]!]!,
    what,
    site: parsePlace(names.points[events.point[i]!]!),
    kind: 'access',
  };
}

function namesFor(op: number, names: ThreadTrace['names']): readonly string[] {
  if (op <= Op.Write) return names.entities;
  if (op <= Op.ReleaseShared) return names.locks;
  return op <= Op.Join ? names.threads : names.channels;
}
