/** The processes of Jest that are ours: they find of us a sequencer and a runtime. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Job, Recipe } from '../../subjects/job.ts';
import { recipeOfCommand, setBridge, tellWorkers } from '../bridge.ts';
import { Serving } from '../serving.ts';
import { againAndAgain } from './again.ts';
import { argumentsOf, parseCommandLine } from './arguments.ts';
import { runtimeFrom } from './runtime.ts';
import { sequencerFrom } from './sequencer.ts';

/** Modules that Jest loads by their paths, which are part of what it keeps transformed files by. */
const moduleAt = (name: string): string =>
  fileURLToPath(new URL(`./${name}.c${extname(import.meta.url).slice(1)}`, import.meta.url));

/** The process of the command. All of its command line stays, but for what a run of one case is not to do. */
export function takeCommand(folder: string, job: Job): void {
  const [node, script, ...args] = process.argv;
  const line = parseCommandLine(args);
  const recipe = tellWorkers(job);
  setBridge('jest', {
    ...forTests(job, recipe),
    sequencer: sequencerFrom(folder, line, job, {
      runtime: moduleAt('runtime'),
      runner: moduleAt('test-runner'),
    }),
  });
  process.argv = [node!, script!, ...argumentsOf(line, moduleAt('sequencer'), job)];
}

/** A worker, of Jest or of whoever else uses them. */
export function takeWorker(job: Job): void {
  const recipe = recipeOfCommand();
  if (recipe !== null) setBridge('jest', forTests(job, recipe));
}

function forTests(job: Job, recipe: Recipe): object {
  const serving = job.mode === 'serve' ? new Serving(job.out) : null;
  return {
    runtime: (ofJest: NodeJS.Require) => runtimeFrom(ofJest, job, recipe, serving),
    ...(serving ? { testRunner: againAndAgain(serving) } : {}),
  };
}
