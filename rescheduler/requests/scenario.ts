/** A plan of requests as a scenario like any other: its setup is the test up to where it is held. */
import type { RequestPlan } from '../../data/exchange.ts';
import type { Operation } from '../../harnesses/api.ts';
import type { PlannedScenario } from '../scenarios/plan.ts';
import type { HeldRequests, HeldTest } from './held-test.ts';

export function requestScenario(
  { calls }: RequestPlan,
  name: string,
  test: HeldTest,
  body: () => unknown,
): PlannedScenario {
  const operations: Record<string, Operation<HeldRequests, [number]>> = {};
  for (const { operation, reads } of calls)
    operations[operation] = { run: (held, at) => held.call(at), reads };
  return {
    name,
    spec: {
      name,
      setup: () => test.carryOut(body),
      operations,
      observe: (held: HeldRequests) => held.look(),
    },
    calls: calls.map(({ operation, text }, at) => ({ operation, args: [at], text })),
    start: 'together',
    sequel: null,
    draws: new Map(),
  };
}
