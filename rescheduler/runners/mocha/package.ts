/** The Mocha of a process. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { MochaClass } from './api.ts';

export function loadMocha(folder: string): MochaClass {
  const loaded = createRequire(join(folder, 'package.json'))(folder) as MochaClass & { default?: MochaClass };
  return loaded.default ?? loaded;
}
