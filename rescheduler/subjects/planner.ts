/** Starts the thread that instruments files for the processes under test (`monitor/loader/planner.ts`). */
import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { entryUrl } from '../entry.ts';
import { dropFolder, makeFolder } from './scratch.ts';

/** The configuration with which processes ask it; and its end, behind them. */
export interface Planner extends Disposable {
  readonly config: LoaderConfig;
}

/** Where something was kept of what has been instrumented, little is left to do, and nothing is started. */
export function startPlanner(config: LoaderConfig): Planner {
  if (isKept(config)) return { config, [Symbol.dispose]: () => {} };
  const planner = makeFolder('memory');
  const thread = new Worker(entryUrl('../../monitor/loader/planner-entry', import.meta.url), {
    workerData: planner,
    execArgv: [],
  });
  const close = (): void => dropFolder(planner);
  thread.unref();
  // Without it each process does its own.
  thread.on('error', close);
  return {
    config: { ...config, planner },
    [Symbol.dispose]: () => void thread.terminate().finally(close),
  };
}

function isKept({ cacheDir }: LoaderConfig): boolean {
  try {
    return readdirSync(cacheDir).some((file) => extname(file) === '.json');
  } catch {
    return false;
  }
}
