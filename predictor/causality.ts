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
 * ends at its node's own number. One row does for a chain of nodes of which each has but the one before for a cause: a
 * program that waits by immediates makes chains of thousands.
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
  for (const { id, issuedBy, behind, delivered } of requests) {
    const list = direct[jobs.length + id] as number[];
    if (issuedBy >= 0) list.push(issuedBy);
    if (delivered && requests[behind]?.delivered) list.push(jobs.length + behind);
  }

  const { numbers, causes, first } = inChains(direct);
  const rows: (Uint32Array | undefined)[] = new Array(nodes);
  /** What precedes the chain of a node. */
  const row = (node: number): Uint32Array => {
    const wanted = first[node] as number;
    const stack = [wanted];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const missing = rows[top] ? [] : causes(top).filter((p) => !rows[first[p]!]);
      if (missing.length > 0) {
        for (const each of missing) stack.push(first[each] as number);
        continue;
      }
      stack.pop();
      rows[top] ??= union(causes(top), numbers[top] as number);
    }
    return rows[wanted] as Uint32Array;
  };
  const union = (above: readonly number[], number: number): Uint32Array => {
    const bits = new Uint32Array((number + 32) >>> 5);
    for (const cause of above) {
      const chain = first[cause] as number;
      const below = rows[chain] as Uint32Array;
      for (let w = 0; w < below.length; w++) bits[w]! |= below[w]!;
      for (let at = numbers[chain]!; at <= numbers[cause]!; at++) bits[at >>> 5]! |= 1 << (at & 31);
    }
    return bits;
  };
  const precedes = (a: number, b: number): boolean => {
    const at = numbers[a] as number;
    if (at >= numbers[b]!) return false;
    return first[a] === first[b] || ((row(b)[at >>> 5]! >>> (at & 31)) & 1) === 1;
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
      const turn = turnOf(a);
      const place = placeOf(b);
      if (turn === UNKNOWN) return false;
      // What runs in one turn in every order runs there one after the other: its ticks and microtasks are no choice of the host.
      if (nb < jobs.length && turn === turnOf(b)) return a < b;
      // A turn ends before anything that was asked for in it or later.
      if (place < 0) return false;
      return turn === START || precedes(jobs.length + turn, jobs.length + place);
    },
  };
}

/** Numbers the nodes causes first, and those of a chain one after the other. `first`: where the chain of a node begins. */
function inChains(direct: readonly (readonly number[])[]) {
  const order = causesFirst(direct);
  const nodes = new Int32Array(direct.length);
  for (let node = 0; node < direct.length; node++) nodes[order[node]!] = node;
  const isAbove = (a: number, b: number): boolean => first[a] === first[b] && place[a]! < place[b]!;
  /** Without those that are the causes of others of them, as far as a chain tells. A cycle is cut. */
  const causes = (node: number): number[] => {
    const above = (direct[node] as number[]).filter((p) => order[p]! < order[node]!);
    return above.filter((p, i) => !above.some((q, j) => isAbove(p, q) || (p === q && j < i)));
  };
  const first = new Int32Array(direct.length);
  const place = new Int32Array(direct.length);
  const next = new Int32Array(direct.length).fill(-1);
  for (const node of nodes) {
    const [cause, other] = causes(node);
    const goesOn = cause !== undefined && other === undefined && next[cause] === -1;
    first[node] = goesOn ? (first[cause] as number) : node;
    if (!goesOn) continue;
    place[node] = place[cause]! + 1;
    next[cause] = node;
  }
  const numbers = new Int32Array(direct.length);
  let count = 0;
  for (const node of nodes)
    if (first[node] === node) for (let at = node; at !== -1; at = next[at]!) numbers[at] = count++;
  return { numbers, causes, first };
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
