/**
 * Orders that differ only in steps that commute are one (Mazurkiewicz traces): the same steps of each thread, and the same
 * order of those on one object, reads between two writes in any.
 */
import { createHash } from 'node:crypto';
import { isStep } from '../../data/threads/schedule.ts';
import { LOOP_STEP, Op, type ThreadTrace } from '../../data/threads/trace.ts';

/** Equal for executions that are one up to steps that commute. */
export function classOf({ events, names }: ThreadTrace): string {
  const own = names.threads.map((name) => ({ name, steps: [] as string[] }));
  const shared = new Map<string, { order: string[]; reads: string[] }>();
  for (let i = 0; i < events.length; i++) {
    const op = events.op[i]!;
    if (!isStep(op)) continue;
    const { name, steps } = own[events.thread[i]!]!;
    const object = objectOf(names, op, events.object[i]!);
    const step = `${name} ${steps.push(`${op} ${object} ${names.points[events.point[i]!]}`)}`;
    if (object.startsWith(LOOP_STEP)) continue;
    const place = shared.get(object) ?? { order: [], reads: [] };
    shared.set(object, place);
    if (op === Op.Read) place.reads.push(step);
    else place.order.push(...place.reads.splice(0).sort(), step);
  }
  const hash = createHash('sha1');
  for (const { name, steps } of own.sort((a, b) => (a.name < b.name ? -1 : 1)))
    hash.update(`${name}\n${steps.join('\n')}\n\n`);
  for (const [object, { order, reads }] of [...shared].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${object}: ${[...order, ...reads.sort()].join()}\n`);
  return hash.digest('hex');
}

/** What a step is about, by name: numbers depend on what came first. */
function objectOf(
  { channels, entities, locks, threads }: ThreadTrace['names'],
  op: number,
  at: number,
): string {
  if (op <= Op.Write) return entities[at]!;
  if (op <= Op.ReleaseShared) return locks[at]!;
  if (op <= Op.Join) return threads[at]!;
  // Which step of a loop it is stands in its name; the number behind it tells those of several threads apart.
  return channels[at]!.replace(/#\d+$/, '');
}

/** In an order in which what lies side by side comes far apart. */
export function spread<T>(list: readonly T[]): T[] {
  const stride = Math.max(1, Math.round(list.length * 0.382));
  let step = stride;
  while (gcd(step, list.length) > 1) step += 1;
  return list.map((_, at) => list[(at * step) % list.length]!);
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
