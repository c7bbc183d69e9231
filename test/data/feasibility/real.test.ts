/**
 * The model against real Node: random programs run natively, with random pauses; whatever order Node shows, the
 * model must allow. (The other direction, that what it allows can be, is the hunt for false failures.)
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import { describe, it } from 'node:test';
import { LoopModel, type Step } from '../../../data/feasibility/exact/loop.ts';
import { ALL_RULES } from '../../../data/feasibility/rules.ts';
import { extent } from '../../extent.ts';

const PROGRAMS = extent(125, 250);

type Kind = 'timer' | 'immediate' | 'stat';

/** What is started, and what its callback starts then. */
interface Node {
  readonly id: number;
  readonly kind: Kind;
  readonly delay: number;
  /** How long to spin just before it is started, ms. */
  readonly pause: number;
  readonly then: readonly Node[];
}

class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  below(n: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * n);
  }
}

/** A program of at most four requests, so that the thread pool never makes one wait. */
function program(random: Random): Node[] {
  let id = 0;
  let stats = 4;
  const level = (depth: number): Node[] => {
    const nodes: Node[] = [];
    for (let n = 1 + random.below(3); n > 0 && id < 9; n--) {
      let kind = (['timer', 'timer', 'immediate', 'stat'] as const)[random.below(4)] as Kind;
      if (kind === 'stat' && stats-- <= 0) kind = 'immediate';
      const pause = random.below(3) === 0 ? random.below(4) : 0;
      const own = { id: id++, kind, delay: 1 + random.below(5), pause };
      nodes.push({ ...own, then: depth > 0 ? level(depth - 1) : [] });
    }
    return nodes;
  };
  return level(2);
}

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Runs the program in the check phase of real Node and returns the order of its callbacks. */
function observe(nodes: readonly Node[]): Promise<number[]> {
  return new Promise((resolve) => {
    const order: number[] = [];
    let left = 0;
    const start = (list: readonly Node[]): void => {
      for (const node of list) {
        left += 1;
        const run = () => {
          order.push(node.id);
          start(node.then);
          if (--left === 0) resolve(order);
        };
        if (node.pause > 0) spin(node.pause);
        if (node.kind === 'timer') setTimeout(run, node.delay);
        else if (node.kind === 'immediate') setImmediate(run);
        else stat('.', run);
      }
    };
    setImmediate(() => start(nodes));
  });
}

/** The first callback that the model does not allow where Node ran it; null where it allows the order, or gave up readings. */
function refused(nodes: readonly Node[], order: readonly number[]): number | null {
  const model = new LoopModel({ rules: { ...ALL_RULES, bounded: false } });
  const known = new Map<number, Node>();
  const start = (list: readonly Node[]): void => {
    for (const node of list) {
      known.set(node.id, node);
      if (node.kind === 'timer') model.startTimer(node.id, node.delay);
      else if (node.kind === 'immediate') model.startImmediate(node.id);
      else model.issue(node.id);
    }
  };
  start(nodes);
  for (const id of order) {
    const find = (kind?: Step['kind']) =>
      model.enabled().find((step) => step.id === id && (!kind || step.kind === kind));
    const effect = find('effect');
    if (effect) model.take(effect);
    const step = find();
    if (!step) return model.incomplete ? null : id;
    model.take(step);
    start((known.get(id) as Node).then);
  }
  return null;
}

describe('real Node', () => {
  it('shows no order that the model forbids', async () => {
    const strange: string[] = [];
    for (let seed = 1; seed <= PROGRAMS; seed++) {
      const nodes = program(new Random(seed));
      const order = await observe(nodes);
      const at = refused(nodes, order);
      if (at !== null) strange.push(JSON.stringify({ seed, order, at, nodes }));
    }
    assert.deepEqual(strange, []);
  });
});
