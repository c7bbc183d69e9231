/** What modules that a runner loads in its own way (a configuration, a runner, instrumented text) find of us. */
import { dirname, join } from 'node:path';
import type { RunnerName } from '../../data/runners.ts';
import {
  COMMAND_RECIPE,
  JOB_FILE,
  type Job,
  ownRecipe,
  type Recipe,
  readWhole,
  writeWhole,
} from '../subjects/job.ts';

const keyOf = (runner: RunnerName): string => `unweave.${runner}`;

/** As text of a module. */
export const bridgeText = (runner: RunnerName): string =>
  `globalThis[Symbol.for(${JSON.stringify(keyOf(runner))})]`;

export function setBridge(runner: RunnerName, bridge: object): void {
  Object.defineProperty(globalThis, Symbol.for(keyOf(runner)), { value: bridge, configurable: true });
}

/** Read before the program is left alone with its environment. */
const folder = dirname(process.env[JOB_FILE] ?? '');

/** A file for the processes of this command, gone when it is over. */
export const placeOf = (name: string): string => join(folder, `command-${process.pid}-${name}`);

/** In the process of the command: its workers are told how it was started. Returns that. */
export function tellWorkers(job: Job): Recipe {
  const recipe = ownRecipe(job);
  const file = placeOf('recipe');
  writeWhole(file, recipe);
  process.env[COMMAND_RECIPE] = file;
  return recipe;
}

/** How the command was started that this process works for; null: for none that told it. */
export function recipeOfCommand(): Recipe | null {
  const told = process.env[COMMAND_RECIPE];
  return told ? readWhole<Recipe>(told) : null;
}
