/** What modules that Vitest loads in its own way (a configuration, a runner, instrumented text) find of us. */
import { dirname, join } from 'node:path';
import { JOB_FILE } from '../../subjects/job.ts';

const KEY = 'unweave.vitest';

/** As text of a module. */
export const BRIDGE = `globalThis[Symbol.for(${JSON.stringify(KEY)})]`;

export function setBridge(bridge: object): void {
  Object.defineProperty(globalThis, Symbol.for(KEY), { value: bridge, configurable: true });
}

/** A file for the processes of this command, gone when it is over. */
export const placeOf = (name: string): string =>
  join(dirname(process.env[JOB_FILE]!), `vitest-${process.pid}-${name}`);
