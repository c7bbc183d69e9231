/** Where the three accesses of a cut point stand in an execution, found by names: numbers differ from run to run. */
import type { AccessPoint, CutPoint } from '../prediction.ts';
import { Op, type ThreadTrace } from './trace.ts';

/** Events. */
export interface Roles {
  readonly first: number;
  readonly remote: number;
  readonly second: number;
}

/** The first that the others follow; null: it did not happen so. */
export function rolesIn({ events, names }: ThreadTrace, cutPoint: CutPoint): Roles | null {
  const { entity, other } = cutPoint;
  const is = (i: number, point: AccessPoint): boolean =>
    names.points[events.point[i]!] === point.at &&
    names.threads[events.thread[i]!] === point.task &&
    events.op[i] === (point.access === 'write' ? Op.Write : Op.Read) &&
    names.entities[events.object[i]!] === (point === cutPoint.second ? (other?.entity ?? entity) : entity);
  const last = (of: AccessPoint, before: number): number => {
    for (let i = before - 1; i >= 0; i--) if (is(i, of)) return i;
    return -1;
  };
  const next = (of: AccessPoint, after: number): number => {
    for (let i = after + 1; i < events.length; i++) if (is(i, of)) return i;
    return -1;
  };
  for (let remote = next(cutPoint.remote, -1); remote >= 0; remote = next(cutPoint.remote, remote)) {
    const [first, second] = [last(cutPoint.first, remote), next(cutPoint.second, remote)];
    // Between the two there is no other pair of theirs.
    if (first >= 0 && second >= 0 && next(cutPoint.second, first) === second)
      return { first, remote, second };
  }
  return null;
}
