/**
 * What must come before what in every order: job → request that it issues → job that its delivery frees,
 * and the jobs of one activation in sequence. Orders between deliveries are not part of it; nor are locks.
 */
import type { Program } from './program.ts';
import { START, turnsOf, UNKNOWN } from './turns.ts';

export interface Causality {
  /** True when event `a` comes before event `b` in every feasible order. */
  before(a: number, b: number): boolean;
  /** True when `remote` cannot come between two events of one turn. */
  oneTurn(first: number, remote: number, second: number): boolean;
  /** Whether a chain of causes leads from one node to another (jobs first, then requests, see {@link Program.nodeOf}). */
  precedes(a: number, b: number): boolean;
  /** Direct predecessors of a node. */
  predecessors(node: number): readonly number[];
}

/**
 * The transitive closure as bit rows, made as they are needed. Nodes are numbered causes first, so that a row
 * ends at its node's own number.
 */
export function causality(program: Program): Causality {
  const { jobs, requests, conditions, nodeOf } = program;
  const nodes = jobs.length + requests.length;
  const direct: number[][] = Array.from({ length: nodes }, () => []);
  const ofCondition = (index: number, out: number[], depth = 0): void => {
    const condition = conditions[index];
    if (!condition || depth > 16) return;
    if (condition.kind === 'delivery') out.push(jobs.length + condition.request);
    else if (condition.kind === 'job') out.push(condition.job);
    else if (condition.kind === 'lock') {
      // The grant follows the request; that it follows an earlier release is no law but an order.
      const asked = program.askedBy.get(index);
      if (asked !== undefined) out.push(asked);
    } else if (condition.kind === 'all') for (const c of condition.of) ofCondition(c, out, depth + 1);
    else if (condition.kind === 'any' && condition.of.length === 1)
      ofCondition(condition.of[0] as number, out, depth + 1);
  };
  for (const job of jobs) {
    const list = direct[job.id] as number[];
    if (job.previous >= 0) list.push(job.previous);
    ofCondition(job.condition, list);
    if (conditions[job.condition]?.kind === 'unknown' && job.id > 0) list.push(job.id - 1);
  }
  for (const request of requests)
    if (request.issuedBy >= 0) (direct[jobs.length + request.id] as number[]).push(request.issuedBy);

  const numbers = causesFirst(direct);
  const rows: (Uint32Array | undefined)[] = new Array(nodes);
  const row = (node: number): Uint32Array => {
    const stack = [node];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const missing = rows[top]
        ? []
        : (direct[top] as number[]).filter((p) => !rows[p] && numbers[p]! < numbers[top]!);
      if (missing.length > 0) {
        stack.push(...missing);
        continue;
      }
      stack.pop();
      rows[top] ??= union(direct[top] as number[], numbers[top] as number);
    }
    return rows[node] as Uint32Array;
  };
  const union = (causes: readonly number[], number: number): Uint32Array => {
    const bits = new Uint32Array((number + 32) >>> 5);
    for (const cause of causes) {
      const below = rows[cause];
      const at = numbers[cause] as number;
      if (!below || at >= number) continue;
      for (let w = 0; w < below.length; w++) bits[w]! |= below[w]!;
      bits[at >>> 5]! |= 1 << (at & 31);
    }
    return bits;
  };
  const precedes = (a: number, b: number): boolean => {
    const at = numbers[a] as number;
    return at < numbers[b]! && ((row(b)[at >>> 5]! >>> (at & 31)) & 1) === 1;
  };
  const turns = turnsOf(program, precedes);
  const turnOf = (event: number): number => {
    const node = nodeOf[event] as number;
    return node >= 0 && node < jobs.length ? (turns[node] as number) : UNKNOWN;
  };
  /** The turn or, of what the host does, the moment outside of turns that an event belongs to. */
  const placeOf = (event: number): number => {
    const node = nodeOf[event] as number;
    return node >= jobs.length ? node - jobs.length : turnOf(event);
  };
  return {
    precedes,
    oneTurn(first, remote, second) {
      const turn = turnOf(first);
      if (nodeOf[first] === nodeOf[second] && nodeOf[first]! < jobs.length) return true;
      if (turn === UNKNOWN || turn !== turnOf(second)) return false;
      // What the host does falls between turns.
      return nodeOf[remote]! >= jobs.length || (turnOf(remote) !== UNKNOWN && turnOf(remote) !== turn);
    },
    predecessors: (node) => direct[node] ?? [],
    before(a, b) {
      const na = nodeOf[a] as number;
      const nb = nodeOf[b] as number;
      if (na < 0 || nb < 0 || na === nb) return a < b;
      if (precedes(na, nb)) return true;
      // A turn ends before anything that was asked for in it or later.
      const turn = turnOf(a);
      const place = placeOf(b);
      if (turn === UNKNOWN || place < 0) return false;
      return turn === START || precedes(jobs.length + turn, jobs.length + place);
    },
  };
}

/** Numbers the nodes so that causes have smaller numbers than what they cause (a cycle is cut somewhere). */
function causesFirst(direct: readonly (readonly number[])[]): Int32Array {
  const numbers = new Int32Array(direct.length).fill(-1);
  const entered = new Uint8Array(direct.length);
  let count = 0;
  for (let root = 0; root < direct.length; root++) {
    const stack = [root];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (entered[top] === 0) {
        entered[top] = 1;
        for (const cause of direct[top] as readonly number[]) if (entered[cause] === 0) stack.push(cause);
        continue;
      }
      stack.pop();
      if (numbers[top] === -1) numbers[top] = count++;
    }
  }
  return numbers;
}
