/** Synthesis as it is defined: every pair of holds for every candidate, each replayed from the beginning. */
import type { LoopOptions } from '../../../data/feasibility/rules.ts';
import type { Candidate } from '../../../predictor/candidates.ts';
import type { Causality } from '../../../predictor/causality.ts';
import type { Program } from '../../../predictor/program.ts';
import { Replay, type ReplayStep } from './replay.ts';

/** A step that is kept back: of which request, and whether its effect or its delivery. */
interface Hold {
  readonly request: number;
  readonly effect: boolean;
}

export interface Order {
  readonly steps: readonly string[];
  /** Virtual clock at the end, ms. */
  readonly clock: number;
  readonly moves: number;
}

/** How far back along a causal chain holds are tried. */
const DEPTH = 8;

export function synthesize(
  program: Program,
  causality: Causality,
  candidate: Candidate,
  options: Partial<LoopOptions>,
): Order | null {
  const { first, remote, second } = candidate;
  const holdsSecond = chain(program, causality, second, first);
  const holdsRemote: (Hold | null)[] = [null];
  if (remote < first) holdsRemote.push(...chain(program, causality, remote, first));
  for (const holdRemote of holdsRemote)
    for (const holdSecond of holdsSecond) {
      const order = attempt(program, candidate, holdRemote, holdSecond, options);
      if (order) return order;
    }
  return null;
}

/** Steps on the causal path to `event` that need not precede `anchor`, nearest first. */
function chain(program: Program, causality: Causality, event: number, anchor: number): Hold[] {
  const { jobs, nodeOf } = program;
  const holds: Hold[] = [];
  const anchorNode = nodeOf[anchor] as number;
  let node = nodeOf[event] as number;
  if (node >= jobs.length) {
    holds.push({ request: node - jobs.length, effect: true });
    node = program.requests[node - jobs.length]?.issuedBy ?? -1;
  }
  for (let guard = 0; node >= 0 && node !== anchorNode && guard < 64 && holds.length < DEPTH; guard++) {
    if (node >= jobs.length) {
      const request = node - jobs.length;
      // The anchor's own effect: only its delivery may be held.
      holds.push({ request, effect: false });
      if (program.requests[request]?.kind === 'pool' && node !== anchorNode)
        holds.push({ request, effect: true });
      node = program.requests[request]?.issuedBy ?? -1;
      continue;
    }
    node = latest(program, causality.predecessors(node));
    if (node >= 0 && node === anchorNode && node >= jobs.length) {
      holds.push({ request: node - jobs.length, effect: false });
      break;
    }
  }
  return holds;
}

function latest(program: Program, nodes: readonly number[]): number {
  let best = -1;
  let bestTime = -1;
  for (const node of nodes) {
    const time = timeOf(program, node);
    if (time > bestTime) {
      bestTime = time;
      best = node;
    }
  }
  return best;
}

/** Observed moment of a node: a job's index, or that of the delivery of a request. */
function timeOf(program: Program, node: number): number {
  const { jobs, requests, observed } = program;
  if (node < jobs.length) return jobs[node]?.events[0] ?? 0;
  const request = requests[node - jobs.length];
  const at = request ? observed.get(`D:${request.name}`)?.[0] : undefined;
  // Deliveries are compared with jobs by the job that they free, which comes right after them.
  return at === undefined ? 0 : (deliveryEvent(program).get(node - jobs.length) ?? 0);
}

const deliveryEvents = new WeakMap<Program, Map<number, number>>();
function deliveryEvent(program: Program): Map<number, number> {
  let map = deliveryEvents.get(program);
  if (!map) {
    map = new Map();
    const { events } = program.trace;
    for (let i = 0; i < events.length; i++) if (events.kind[i] === 6) map.set(events.object[i] as number, i);
    deliveryEvents.set(program, map);
  }
  return map;
}

function attempt(
  program: Program,
  { first, remote, second }: Candidate,
  holdRemote: Hold | null,
  holdSecond: Hold,
  options: Partial<LoopOptions>,
): Order | null {
  const replay = new Replay(program, options);
  const matches = (hold: Hold, { step }: ReplayStep): boolean =>
    step.id === hold.request &&
    (hold.effect ? step.kind === 'effect' : step.kind !== 'effect' && step.kind !== 'end');
  let moves = 0;
  while (replay.done[second] !== 1) {
    let next: ReplayStep | undefined;
    const enabled = replay.enabled();
    for (const step of enabled) {
      if (replay.done[remote] !== 1 && matches(holdSecond, step)) continue;
      if (holdRemote && replay.done[first] !== 1 && matches(holdRemote, step)) continue;
      next = step;
      break;
    }
    if (!next) return null;
    if (enabled[0] !== next) moves += 1;
    replay.take(next);
    // Too late for this pair of holds: the remote access came before the first.
    if (replay.done[remote] === 1 && replay.done[first] !== 1) return null;
  }
  if (!shows(replay.sequence, first, remote, second)) return null;
  return { steps: replay.taken, clock: replay.model.now, moves };
}

/** Whether the three accesses occur in this order. */
function shows(sequence: readonly number[], first: number, remote: number, second: number): boolean {
  let stage = 0;
  for (const event of sequence) {
    if (stage === 0 && event === first) stage = 1;
    else if (event === remote) {
      if (stage !== 1) return false;
      stage = 2;
    } else if (event === second) return stage === 2;
  }
  return false;
}
