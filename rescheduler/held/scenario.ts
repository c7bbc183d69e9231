/** What overlaps in a test, as a scenario like any other: its setup is the test up to where it is held. */
import type { OverlapPlan } from '../../data/overlap.ts';
import type { Operation, Outcome } from '../../harnesses/api.ts';
import { refusedOf } from '../calls/refusals.ts';
import type { PlannedScenario } from '../scenarios/plan.ts';
import type { HeldOperations, HeldTest } from './held-test.ts';

export function heldScenario(
  plan: OverlapPlan,
  name: string,
  test: HeldTest,
  body: () => unknown,
): PlannedScenario {
  const operations: Record<string, Operation<HeldOperations, [number]>> = {};
  for (const { operation, reads } of plan.calls)
    operations[operation] = { run: (held, at) => held.call(at), reads };
  return {
    name,
    spec: {
      name,
      setup: () => test.carryOut(body),
      operations,
      observe: (held: HeldOperations) => held.look(),
      // Servers refuse by an answer, which is compared; components throw.
      ...(plan.kind === 'calls' && { allow: (outcome: Outcome) => refusedOf(plan, outcome) }),
    },
    calls: plan.calls.map(({ operation, text }, at) => ({ operation, args: [at], text })),
    start: plan.kind === 'calls' ? plan.start : 'together',
    sequel: null,
    draws: new Map(),
    // Which of two errors a component tells where both calls are too late for it is its own affair.
    anyError: plan.kind === 'calls',
  };
}
