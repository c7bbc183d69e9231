/** Shared replays and early filters change the cost of synthesis, never what it finds. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generatedTrace } from '../../bench/lib/trace.ts';
import type { Trace } from '../../data/trace.ts';
import { installLockHooks } from '../../monitor/locks/hooks.ts';
import { candidates } from '../../predictor/candidates.ts';
import { causality } from '../../predictor/causality.ts';
import { Holds } from '../../predictor/holds.ts';
import { predict } from '../../predictor/predict.ts';
import { buildProgram } from '../../predictor/program.ts';
import { replayObserved } from '../../predictor/replay/replay.ts';
import { Trunk } from '../../predictor/replay/trunk.ts';
import { sections } from '../../predictor/sections.ts';
import { Synthesis } from '../../predictor/synthesize.ts';
import { transactions } from '../../predictor/transactions.ts';
import { generate } from '../ground-truth/generate.ts';
import { synthesize } from './reference/synthesize.ts';

installLockHooks();
const over = { loop: {}, isOver: () => true };
const { compile } = await import('../ground-truth/run.ts');
const { Mutex } = await import('async-mutex');
const { default: pLimit } = await import('p-limit');

interface Found {
  readonly steps: readonly string[];
  readonly clock: number;
  readonly moves: number;
}

/** What synthesis finds for each candidate of a trace, and what the reference does. */
function both(trace: Trace): { ours: (Found | null)[]; theirs: (Found | null)[] } {
  const program = buildProgram(trace);
  const order = causality(program);
  const tx = transactions(trace.activations);
  const { list } = candidates(trace, order.before, tx);
  const around = sections(trace, order.before, (a) => tx.taskOf(a));
  const trunk = new Trunk(program, {});
  const synthesis = new Synthesis(trunk, new Holds(program, order), around);
  synthesis.search(list);
  const ours = list.map((candidate) => {
    const branch = synthesis.found.get(candidate);
    return branch ? { steps: trunk.namesOf(branch), clock: branch.clock, moves: branch.moves } : null;
  });
  const theirs = list.map((candidate) => synthesize(program, order, candidate, {}));
  return { ours, theirs: theirs.map((o) => o && { steps: o.steps, clock: o.clock, moves: o.moves }) };
}

describe('synthesis', () => {
  it('finds the same orders as the reference, on runs of random programs', async () => {
    let found = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const { trace, result } = await compile(generate(seed), { Mutex, pLimit })({ kind: 'observed' });
      if (!trace || result.outcome !== 'pass') continue;
      const { ours, theirs } = both(trace);
      for (const [i, one] of theirs.entries()) assert.deepEqual(ours[i], one, `seed ${seed}, candidate ${i}`);
      found += theirs.filter((one) => one !== null).length;
    }
    assert.ok(found > 300, `${found} orders`);
  });

  it('finds the same orders as the reference, on a trace of many tasks', () => {
    const { ours, theirs } = both(generatedTrace(100));
    assert.deepEqual(ours, theirs);
    assert.ok(theirs.some((one) => one !== null));
  });

  it('replays in all a small part of what replaying each candidate from the beginning would', () => {
    const program = buildProgram(generatedTrace(500));
    const order = causality(program);
    const tx = transactions(program.trace.activations);
    const { list } = candidates(program.trace, order.before, tx);
    const trunk = new Trunk(program, {});
    const around = sections(program.trace, order.before, (a) => tx.taskOf(a));
    const before = trunk.replay.cost;
    new Synthesis(trunk, new Holds(program, order), around).search(list);
    const each = replayObserved(program).length;
    assert.ok((trunk.replay.cost - before) * 5 < list.length * each);
  });

  it('gives back what its budget does not reach, also within one pass', () => {
    const program = buildProgram(generatedTrace(100));
    const order = causality(program);
    const { list } = candidates(program.trace, order.before, transactions(program.trace.activations));
    const trunk = new Trunk(program, {});
    const synthesis = new Synthesis(trunk, new Holds(program, order), () => []);
    const until = trunk.replay.cost + 20;
    const left = synthesis.search(list, () => trunk.replay.cost >= until);
    assert.ok(left.length > 0 && left.length + synthesis.found.size <= list.length);
    assert.ok(left.every((candidate) => !synthesis.found.has(candidate)));
    assert.ok(trunk.replay.cost < until + 2 * trunk.length);
  });

  it('is left out where the time is over, and all of it is told as left', () => {
    const trace = generatedTrace(100);
    const { found, left } = { found: predict(trace).stats.feasible, left: predict(trace, over).stats.left };
    assert.ok(found > 0 && left >= found);
    assert.equal(predict(trace, over).stats.feasible, 0);
  });
});
