/**
 * The process of the command: it is given a configuration that is the user's own, with our plugin and our runner in it. All
 * else of its command line stays.
 */
import { writeFileSync } from 'node:fs';
import { type Job, ownRecipe, VITEST_RECIPE, writeWhole } from '../../subjects/job.ts';
import { NOTHING, type Taken } from '../adapter.ts';
import { parseCommandLine } from './arguments.ts';
import { BRIDGE, placeOf, setBridge } from './bridge.ts';
import { configured } from './config.ts';

export function takeCommand(folder: string, job: Job): Taken {
  const [node, script, ...args] = process.argv;
  const line = parseCommandLine(args, job.mode !== 'record');
  if (!line) return NOTHING;
  if (job.mode === 'threads') {
    process.stderr.write('unweave: worker threads in tests of Vitest are not looked into\n');
    process.exit(2);
  }
  const recipe = placeOf('recipe');
  writeWhole(recipe, ownRecipe(job));
  process.env[VITEST_RECIPE] = recipe;
  setBridge({ config: configured(folder, job, line) });
  const config = placeOf('config.mjs');
  writeFileSync(config, `export default (env) => ${BRIDGE}.config(env);\n`);
  process.argv = [node!, script!, `--config=${config}`, ...line.rest];
  return NOTHING;
}
