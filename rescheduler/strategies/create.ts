import type { StrategySpec } from '../../data/run.ts';
import { AtomicStrategy, type Span } from './atomic.ts';
import { DirectedStrategy } from './directed.ts';
import { HeldStrategy } from './held.ts';
import { RANDOM, SEEDED, seededOf } from './list.ts';
import { NumberedStrategy } from './numbered.ts';
import { ObservedStrategy } from './observed.ts';
import { PrefixStrategy } from './prefix.ts';
import type { Strategy } from './strategy.ts';
import { SwappingStrategy } from './swapping.ts';

const NO_SPAN: Span = {
  open: false,
  owns: () => false,
  surrounds: () => false,
  awaits: () => false,
  lend: () => {},
  giveUp: () => {},
};

/** The strategy that a specification names, fresh for one run; `span` is what the fix check must not interrupt. */
export function createStrategy(
  spec: StrategySpec,
  span: Span = NO_SPAN,
  seeded = SEEDED,
): Strategy & { readonly complete?: boolean } {
  switch (spec.kind) {
    case 'observed':
      return new ObservedStrategy();
    case 'random': {
      const strategy = spec.by === undefined ? RANDOM : seededOf(spec.by, seeded);
      if (!strategy) throw new Error(`there is no strategy ${spec.by}`);
      const chosen = strategy.create(spec);
      // As near to these steps as the program lets it come.
      return spec.after ? new AtomicStrategy(spec.after, NO_SPAN, chosen) : chosen;
    }
    case 'prefix':
      return new PrefixStrategy(spec.prefix);
    case 'atomic':
      return new AtomicStrategy(spec.steps, span, new ObservedStrategy());
    case 'held':
      return new HeldStrategy(spec.steps, new ObservedStrategy());
    case 'swapping':
      return new SwappingStrategy(spec.swaps, spec.seed);
    case 'numbered':
      return new NumberedStrategy(spec.steps, new ObservedStrategy());
    case 'directed':
      return new DirectedStrategy(spec.schedule.steps, new ObservedStrategy());
  }
}
