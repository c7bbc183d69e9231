import type { StrategySpec } from '../../data/run.ts';
import { DirectedStrategy } from './directed.ts';
import { ObservedStrategy } from './observed.ts';
import { PrefixStrategy } from './prefix.ts';
import { RandomStrategy } from './random.ts';
import type { Strategy } from './strategy.ts';

/** The strategy that a specification names, fresh for one run. */
export function createStrategy(spec: StrategySpec): Strategy & { readonly complete?: boolean } {
  switch (spec.kind) {
    case 'observed':
      return new ObservedStrategy();
    case 'random':
      return new RandomStrategy(spec.seed);
    case 'prefix':
      return new PrefixStrategy(spec.prefix);
    case 'directed':
      return new DirectedStrategy(spec.schedule.steps, new ObservedStrategy());
  }
}
