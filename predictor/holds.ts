/** Which steps, kept back, keep an event back. */

import { DELIVER, EFFECT } from '../data/feasibility/sketch/steps.ts';
import { EventKind } from '../data/trace.ts';
import type { Causality } from './causality.ts';
import type { Program } from './program.ts';
import type { Steps } from './replay/steps.ts';

/** A step that is kept back, as a number: request * 2, and 1 more for its effects than for its delivery. */
export type Hold = number;

/** What holds a step; -1 for the end of a thread, which nothing waits for. */
export function holdOf(steps: Steps, step: number): Hold {
  const kind = steps.kind[step];
  if (kind !== DELIVER && kind !== EFFECT) return -1;
  return 2 * (steps.request[step] as number) + (kind === EFFECT ? 1 : 0);
}

/** How far back along a causal chain holds are tried. */
const DEPTH = 8;
const LONGEST_WALK = 64;

export class Holds {
  private readonly program: Program;
  private readonly causality: Causality;
  /** Event at which each node happened in the observed run: a job's first, or the delivery of a request. */
  private readonly times: Int32Array;

  constructor(program: Program, causality: Causality) {
    this.program = program;
    this.causality = causality;
    const { jobs, requests, trace } = program;
    this.times = new Int32Array(jobs.length + requests.length);
    // Jobs are numbered as they ran; one that touched nothing is as late as the next.
    let next = trace.events.length;
    for (const job of jobs.toReversed()) this.times[job.id] = next = job.events[0] ?? next;
    const { events } = trace;
    for (let i = 0; i < events.length; i++)
      if (events.kind[i] === EventKind.Turn) this.times[jobs.length + (events.object[i] as number)] = i;
  }

  /** Steps on the causal path to `event` that need not precede `anchor`, nearest first. */
  chain(event: number, anchor: number): Hold[] {
    const { jobs, nodeOf, requests } = this.program;
    const holds: Hold[] = [];
    const end = nodeOf[anchor] as number;
    let node = nodeOf[event] as number;
    if (node >= jobs.length) {
      const request = node - jobs.length;
      holds.push(2 * request + 1);
      node = requests[request]?.issuedBy ?? -1;
    }
    for (let walk = 0; node >= 0 && node !== end && walk < LONGEST_WALK && holds.length < DEPTH; walk++) {
      if (node >= jobs.length) {
        const request = node - jobs.length;
        holds.push(2 * request);
        if (requests[request]?.kind === 'pool') holds.push(2 * request + 1);
        node = requests[request]?.issuedBy ?? -1;
        continue;
      }
      node = this.latest(this.causality.predecessors(node));
      // The anchor's own effect: only its delivery may be held.
      if (node >= jobs.length && node === end) holds.push(2 * (node - jobs.length));
    }
    return holds;
  }

  /** Whether `event` cannot happen as long as `hold` is kept back. */
  blocks(hold: Hold, event: number): boolean {
    const { jobs, nodeOf } = this.program;
    const node = jobs.length + (hold >> 1);
    const of = nodeOf[event] as number;
    // A request's own accesses are its effects: they wait for no delivery.
    return of === node ? (hold & 1) === 1 : of >= 0 && this.causality.precedes(node, of);
  }

  private latest(nodes: readonly number[]): number {
    let best = -1;
    for (const node of nodes) if (best < 0 || this.times[node]! > this.times[best]!) best = node;
    return best;
  }
}
