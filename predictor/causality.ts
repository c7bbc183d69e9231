/**
 * What must come before what in every order: job → request that it issues → job that its delivery frees,
 * and the jobs of one activation in sequence. Orders between deliveries are not part of it; nor are locks.
 */
import type { Program } from './program.ts';

export interface Causality {
  /** True when event `a` comes before event `b` in every feasible order. */
  before(a: number, b: number): boolean;
  /** The same of two nodes of the graph. */
  precedes(a: number, b: number): boolean;
  /** Direct predecessors of a node (jobs first, then requests, see {@link Program.nodeOf}). */
  predecessors(node: number): readonly number[];
  readonly nodes: number;
}

/** Computes the transitive closure as bit rows; nodes are visited in observed order, so one pass is enough. */
export function causality(program: Program): Causality {
  const { jobs, requests, conditions, nodeOf, trace } = program;
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

  const words = (nodes + 31) >>> 5;
  const rows: (Uint32Array | null)[] = new Array(nodes).fill(null);
  const row = (node: number): Uint32Array => {
    const known = rows[node];
    if (known) return known;
    // Depth-first without recursion: the graph is acyclic because causes precede effects in the run.
    const stack = [node];
    while (stack.length > 0) {
      const top = stack[stack.length - 1] as number;
      if (rows[top]) {
        stack.pop();
        continue;
      }
      const missing = (direct[top] as number[]).filter((p) => !rows[p] && p !== top && !stack.includes(p));
      if (missing.length > 0) {
        stack.push(...missing);
        continue;
      }
      const bits = new Uint32Array(words);
      for (const p of direct[top] as number[]) {
        const below = rows[p];
        if (below) for (let w = 0; w < words; w++) bits[w] = (bits[w] as number) | (below[w] as number);
        bits[p >>> 5] = (bits[p >>> 5] as number) | (1 << (p & 31));
      }
      rows[top] = bits;
      stack.pop();
    }
    return rows[node] as Uint32Array;
  };
  const precedes = (a: number, b: number): boolean => (((row(b)[a >>> 5] as number) >>> (a & 31)) & 1) === 1;
  return {
    nodes,
    precedes,
    predecessors: (node) => direct[node] ?? [],
    before(a, b) {
      const na = nodeOf[a] as number;
      const nb = nodeOf[b] as number;
      if (na < 0 || nb < 0) return a < b;
      if (na === nb) return a < b;
      if (trace.events.length === 0) return false;
      return precedes(na, nb);
    },
  };
}
