/** What the holders of the token are told about a strategy. */
import { RULE, type TokenOrder } from './control.ts';
import type { ThreadSpec } from './protocol.ts';

/** Random executions have stretches of one of these means, by their seed: some bugs need few switches, some many. */
const STRETCHES = [2, 4, 8, 16, 64, 256];

/** How an execution under a strategy is to go. */
export function orderOf(spec: ThreadSpec): TokenOrder {
  const without = (spec.without ?? []).reduce((bits, rule) => bits | RULE[rule], 0);
  return { ...choiceOf(spec), without };
}

function choiceOf(spec: ThreadSpec): Pick<TokenOrder, 'grants' | 'chance' | 'deliveries'> {
  switch (spec.kind) {
    case 'observed':
    case 'free':
      return { grants: [], chance: null };
    case 'directed':
      return { grants: spec.schedule.grants, chance: null };
    case 'pct':
      return { grants: [], chance: spec, deliveries: true };
    case 'random': {
      const { seed } = spec;
      const stretch = STRETCHES[seed % STRETCHES.length]!;
      // All stretches with both kinds of deliveries.
      return {
        grants: [],
        chance: { kind: 'random', seed, stretch },
        deliveries: Math.floor(seed / STRETCHES.length) % 2 === 1,
      };
    }
  }
}
