/** An execution of threads in rows for people: the accesses that matter, and stretches of what lies between. */
import type { CutPoint } from '../../../data/prediction.ts';
import { LOOP_POINT, stepWords } from '../../../data/threads/tasks.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import { parsePlace } from '../../../report/phrase.ts';
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

export function rowsOf(trace: ThreadTrace, cutPoint: CutPoint | null): StepRow[] {
  const roles = rolesOf(trace, cutPoint);
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

function rowOf({ events, names }: ThreadTrace, i: number): StepRow {
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

/** Where the three accesses stand in this execution: the first that the others follow. */
function rolesOf({ events, names }: ThreadTrace, cutPoint: CutPoint | null): Map<number, Role> {
  const roles = new Map<number, Role>();
  if (!cutPoint) return roles;
  const is = (i: number, { at, access, task }: CutPoint['first']): boolean =>
    names.points[events.point[i]!] === at &&
    names.threads[events.thread[i]!] === task &&
    events.op[i] === (access === 'write' ? Op.Write : Op.Read) &&
    names.entities[events.object[i]!] === cutPoint.entity;
  const last = (of: CutPoint['first'], before: number): number => {
    for (let i = before - 1; i >= 0; i--) if (is(i, of)) return i;
    return -1;
  };
  const next = (of: CutPoint['first'], after: number): number => {
    for (let i = after + 1; i < events.length; i++) if (is(i, of)) return i;
    return -1;
  };
  for (let remote = next(cutPoint.remote, -1); remote >= 0; remote = next(cutPoint.remote, remote)) {
    const [first, second] = [last(cutPoint.first, remote), next(cutPoint.second, remote)];
    if (first < 0 || second < 0) continue;
    return new Map([
      [first, 'first'],
      [remote, 'remote'],
      [second, 'second'],
    ]);
  }
  return roles;
}
