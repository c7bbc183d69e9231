/** Rewritten modules that are kept are code: none is run that came from somewhere else. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { options, project } from './projects.ts';

const MAIN = { 'main.mjs': `import { stat } from 'node:fs/promises'; await stat('.');` };

async function run(cwd: string): Promise<void> {
  const [subject] = await recordCommand(['node', 'main.mjs'], { cwd });
  assert.equal((await subject!.execute({ kind: 'observed' }, options())).outcome, 'pass');
}

test('a cache that came with a copy of a project does not run', async () => {
  const [first, second] = [project(MAIN), project(MAIN)];
  await run(first);
  const told = join(first, 'told');
  const plans = globSync('.unweave/cache/**/*.plan.json', { cwd: first });
  assert.ok(plans.length > 0);
  for (const name of plans) {
    const file = join(first, name);
    const call = `(process.getBuiltinModule('fs').writeFileSync('${told}',''),`;
    writeFileSync(file, readFileSync(file, 'utf8').replace('"text":"(', `"text":"${call}`));
  }
  cpSync(join(first, '.unweave'), join(second, '.unweave'), { recursive: true, preserveTimestamps: true });
  await run(second);
  assert.equal(existsSync(told), false);
  // Where it was made it is believed: this test can fail.
  await run(first);
  assert.equal(existsSync(told), true);
});
