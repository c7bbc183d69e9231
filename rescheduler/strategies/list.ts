/** The strategies that choose by chance, and the searches that a user may ask for by name. A strategy is added here. */
import type { SeedPlan, StrategySpec } from '../../data/run.ts';
import { PctStrategy, pctPlan } from './pct.ts';
import { RandomStrategy } from './random.ts';
import type { Strategy } from './strategy.ts';

export interface SeededStrategy {
  /** For users and in specifications; schedules are called so. */
  readonly name: string;
  /** For `--help` of `--strategy`. */
  readonly about: string;
  /** Fresh for one run. */
  create(plan: SeedPlan): Strategy;
  /** All enabled steps are alike to it, so that its runs tell how many orders there are. */
  readonly isUniform?: true;
}

export const RANDOM: SeededStrategy = {
  name: 'random',
  about: 'any step that could come next',
  create: ({ seed }) => new RandomStrategy(seed),
  isUniform: true,
};

export const PCT: SeededStrategy = {
  name: 'pct',
  about: 'whole activities or threads stay behind',
  create: ({ seed, length = 0 }) => new PctStrategy(pctPlan(seed, length)),
};

export const SEEDED: readonly SeededStrategy[] = [RANDOM, PCT];

/** The name of a strategy by chance, or: `directed`, what was predicted first, `dfs`, all orders one after the other. */
export type Search = string;

export const DIRECTED: Search = 'directed';

export const SEARCHES: readonly Search[] = [DIRECTED, ...SEEDED.map(({ name }) => name), 'dfs'];

export const seededOf = (name: string, list = SEEDED): SeededStrategy | undefined =>
  list.find((each) => each.name === name);

/** `after`: steps that come first. */
export const bySeed = (
  { name }: SeededStrategy,
  seed: number,
  length: number,
  after?: readonly string[],
): StrategySpec => ({ kind: 'random', by: name, seed, length, ...(after && { after }) });
