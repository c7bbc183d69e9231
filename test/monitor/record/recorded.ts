/** Modules written on the spot and recorded. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StrategySpec } from '../../../data/run.ts';
import type { Trace } from '../../../data/trace.ts';
import { configure, defaultConfig } from '../../../monitor/loader/config.ts';
import { runtime } from '../../../monitor/runtime/index.ts';
import { executeGated } from '../../../rescheduler/subjects/execution.ts';
import { type Directories, limits } from '../../rescheduler/gate/support.ts';
import '../../../monitor/register.ts';

/** Records the default export of a module, which gets its own directory; by default in its natural order. */
export async function recorded(
  source: string,
  directories: Directories,
  spec: StrategySpec = { kind: 'observed' },
): Promise<Trace> {
  const dir = directories.fresh();
  const file = join(dir, 'main.mjs');
  writeFileSync(file, source);
  configure(defaultConfig(dir));
  const { default: main } = await import(pathToFileURL(file).href);
  const { trace, result } = await executeGated((root) => runtime.runAsBody(root, () => main(dir)), {
    spec,
    limits,
    wantChoices: false,
    record: true,
  });
  assert.equal(result.outcome, 'pass', result.failure?.stack);
  return trace!;
}
