/**
 * Jest from 27 on. Two kinds of its processes are ours: that of the command, which runs tests itself where there are few, and
 * its workers.
 */
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { RUNNERS } from '../../../data/runners.ts';
import { natively } from '../../../monitor/loader/own-require.ts';
import { NOTHING, type RunnerAdapter } from '../adapter.ts';
import { packageOf } from '../package.ts';
import type * as TakePart from './take-part-entry.ts';

const COMMANDS = ['jest', 'jest-cli'];
const WORKER = 'jest-worker';

export const jest: RunnerAdapter = {
  name: 'jest',
  install(job) {
    const of = packageOf(process.argv[1], [...COMMANDS, WORKER]);
    if (of === null || of.major < RUNNERS.jest.since) return NOTHING;
    const { takeCommand, takeWorker } = natively(
      () => createRequire(import.meta.url)(`./take-part-entry${extname(import.meta.url)}`) as typeof TakePart,
    );
    if (of.name === WORKER) takeWorker(job);
    else takeCommand(of.folder, job);
    return NOTHING;
  },
};
