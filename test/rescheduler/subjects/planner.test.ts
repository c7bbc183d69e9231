/** Who instruments for the processes under test: what it gives them is what they would have made, and nobody has to wait for it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { plan } from '../../../monitor/instrument/instrument.ts';
import type { InstrumentOptions } from '../../../monitor/instrument/types.ts';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { askPlanner, type PlanRequest } from '../../../monitor/loader/planner.ts';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { startPlanner } from '../../../rescheduler/subjects/planner.ts';
import { options as executing, project, until } from './projects.ts';

const options: InstrumentOptions = { file: 'a.mjs', kind: 'module', typescript: false };
const SOURCE = 'let n = 0; export const add = async () => { const m = n; await null; n = m + 1; };';

/** What processes of their own are answered, one after the other. */
function answers(folder: string, requests: readonly PlanRequest[]): unknown[] {
  const module = JSON.stringify(new URL('../../../monitor/loader/planner.ts', import.meta.url).href);
  const code = `import { askPlanner } from ${module};
    const answers = ${JSON.stringify(requests)}.map((request) => askPlanner(${JSON.stringify(folder)}, request));
    process.stdout.write(JSON.stringify(answers));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as unknown[];
}

const configIn = (cwd: string) => ({ ...defaultConfig(cwd), cacheDir: join(cwd, 'cache') });

describe('the planner', () => {
  it('makes what the process would have made', () => {
    using planner = startPlanner(configIn(project({})));
    const requests: PlanRequest[] = [
      { source: SOURCE, options },
      { source: 'let = 1 +', options },
      { source: SOURCE.replace(/ = n;/, ': number = n;'), options: { ...options, typescript: true } },
      { source: 'var __cov;', options },
    ];
    const own = requests.map(({ source, options }) => {
      try {
        return { plan: plan(source, options) };
      } catch {
        return 'does not parse';
      }
    });
    assert.deepEqual(own[1], 'does not parse');
    // Who asks before the thread is there, on a busy machine, does it himself.
    const folder = planner.config.planner!;
    let given = answers(folder, requests);
    while (given.includes(null)) given = answers(folder, requests);
    assert.deepEqual(given, JSON.parse(JSON.stringify(own)));
  });

  it('leaves nothing behind, and nobody in suspense', async () => {
    const planner = startPlanner(configIn(project({})));
    const folder = planner.config.planner!;
    planner[Symbol.dispose]();
    await until(() => !existsSync(folder));
    assert.equal(askPlanner(folder, { source: SOURCE, options }), null);
  });

  it('is not asked again by who was not heard', () => {
    const folder = join(project({}), 'asked');
    mkdirSync(folder);
    assert.deepEqual(
      answers(folder, [
        { source: SOURCE, options },
        { source: SOURCE, options },
      ]),
      [null, null],
    );
    assert.deepEqual(
      readdirSync(folder).map((file) => file.replace(/^\d+/, '')),
      ['-0-0.asked'],
    );
  });

  it('is not there where something was kept', () => {
    const cwd = project({ 'cache/some.json': 'null' });
    using planner = startPlanner(configIn(cwd));
    assert.equal(planner.config.planner, undefined);
  });
});

test('what is instrumented while a program runs is none of its doing, whether or not it was kept', async () => {
  const cwd = project({
    'lib.mjs': 'export let n = 0; export const add = () => ++n;',
    'a.test.mjs': `import assert from 'node:assert'; import test from 'node:test';
      test('late', async () => assert.equal((await import('./lib.mjs')).add(), 1));`,
  });
  const seen = async (): Promise<string[]> => {
    const [subject] = await recordCommand(['node', '--test'], { cwd });
    const { trace } = await subject!.record(executing());
    await subject!.close();
    return trace.entities.map(({ name }) => name).filter((name) => name.startsWith('fs:'));
  };
  const cold = await seen();
  assert.deepEqual([cold, await seen()], Array(2).fill(['fs:.', 'fs:lib.mjs', 'fs:lib.mjs (content)']));
});
