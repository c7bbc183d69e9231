/** What stands against an order that plain Node did not take. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WitnessPlan } from '../../rescheduler/witness/plan.ts';
import { ENGINE } from './families.ts';
import type { Forced } from './force.ts';
import { classOf } from './realise.ts';

/** Something is asked for by an answer. */
const planOf = (rounds: readonly (readonly number[])[], api = 'crypto.scrypt', cause = 2): WitnessPlan => {
  const job = { api, what: '', site: null, cause, issued: 0, effects: [], end: null };
  const stretch = { index: 2, at: 0, stands: false };
  return {
    requests: [{ ...job, deliver: { index: 4, at: 0 } }],
    stretches: [
      {
        ...stretch,
        rounds: rounds.map((steps) => ({ until: null, early: [], answers: [steps], heads: [] })),
      },
    ],
    pauses: [],
  };
};
const forced = (plan: WitnessPlan, margin = 20): Forced => ({
  ...{ seed: 1, order: [], unit: 50, plans: [plan], missed: 0, margin, unheld: [] },
});

const [SAME, NEXT] = [planOf([[2, 4]]), planOf([[2], [4]])];
/** Two answers that were asked for in the first turn. */
const both = (first: string, second: string, apart = 0): WitnessPlan => ({
  ...SAME,
  requests: [first, second].map((api, nth) => ({
    ...{ api, what: '', site: null, cause: -1, issued: 0, effects: [], end: null },
    deliver: { index: nth * (1 + apart), at: 0 },
  })),
});
/** A child that ends behind the first turn. */
const child = (index: number): WitnessPlan => ({
  ...SAME,
  requests: [{ ...SAME.requests[0]!, api: 'child_process.exit', cause: -1 }],
  stretches: [{ ...SAME.stretches[0]!, index }],
});

const rows: readonly [Forced, string][] = [
  [forced(SAME), 'a thread answers in the poll phase in which it was asked'],
  [forced(NEXT), 'unexplained'],
  [forced(both('dns.reverse', 'dns.resolve4')), 'two answers of name servers begin one check phase'],
  [forced(both('dns.reverse', 'dns.resolve4', 1)), 'unexplained'],
  [forced(both('dns.reverse', 'dns.lookup')), 'unexplained'],
  [forced(child(-1)), 'a child is done within the first turn'],
  [forced(child(2)), 'unexplained'],
  [forced(NEXT, 1), 'less than 2 ms between a timer and its neighbours'],
  ...[
    ['dns.resolve4', 4, 'a name server that refuses is asked four times, a round of the loop each'] as const,
    ['WebAssembly.compile', ENGINE, 'the engine takes two rounds of the loop'] as const,
  ].flatMap(([api, least, why]): [Forced, string][] => {
    const inRound = (round: number) => [...Array.from({ length: round - 1 }, () => []), [4]];
    return [
      ...(least > 1 ? ([[forced(planOf(inRound(least - 1), api)), why]] as [Forced, string][]) : []),
      [forced(planOf(inRound(least), api)), 'unexplained'],
      [forced(planOf(inRound(1), api, 1)), 'unexplained'],
    ];
  }),
];

for (const [order, why] of rows) test(why, () => assert.equal(classOf(order), why));
