/**
 * The process of the command: it is given a configuration that is the user's own, with our plugin and our runner in it. All
 * else of its command line stays.
 */
import { writeFileSync } from 'node:fs';
import type { Job } from '../../subjects/job.ts';
import { NOTHING, type Taken } from '../adapter.ts';
import { bridgeText, placeOf, setBridge, tellWorkers } from '../bridge.ts';
import { parseCommandLine } from './arguments.ts';
import { configured } from './config.ts';
import { points } from './points.ts';

export function takeCommand(folder: string, job: Job): Taken {
  const [node, script, ...args] = process.argv;
  const line = parseCommandLine(args, job.mode !== 'record');
  if (!line) return NOTHING;
  tellWorkers(job);
  setBridge('vitest', { config: configured(folder, job, line), points });
  const config = placeOf('config.mjs');
  writeFileSync(config, `export default (env) => ${bridgeText('vitest')}.config(env);\n`);
  process.argv = [node!, script!, `--config=${config}`, ...line.rest];
  return { ...NOTHING, runsElsewhere: true };
}
