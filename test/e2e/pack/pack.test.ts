import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { temporary } from '../../temporary.ts';

const run = promisify(execFile);
const ROOT = new URL('../../../', import.meta.url).pathname;
let project = '';

/** npm, with the Node that runs this test in front of whatever the machine has. */
async function npm(args: string[], cwd: string): Promise<string> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  };
  delete env['NODE_TEST_CONTEXT'];
  const { stdout } = await run('npm', args, { cwd, env, maxBuffer: 1 << 26 });
  return stdout;
}

const TEST = `
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

async function add(file, amount) {
  const before = Number(await readFile(file, 'utf8'));
  await writeFile(file, String(before + amount));
}

test('both amounts arrive', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'sum-')), 'sum.txt');
  await writeFile(file, '0');
  await Promise.all([add(file, 1), sleep(50).then(() => add(file, 2))]);
  assert.equal(await readFile(file, 'utf8'), '3');
});
`;

before(async () => {
  project = temporary('unweave-pack');
  // Built already by the test command; the package scripts would build into it a second time.
  const packed = JSON.parse(
    await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', project], ROOT),
  );
  const [tarball] = Array.isArray(packed) ? packed : Object.values(packed as Record<string, unknown>);
  const { filename } = tarball as { filename: string };
  await writeFile(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  await npm(['install', '--no-audit', '--no-fund', '--prefer-offline', join(project, filename)], project);
});

test('the package ships compiled code and types, and nothing of the repository beyond', async () => {
  const installed = join(project, 'node_modules', 'unweave');
  const { bin, exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  for (const file of [bin.unweave, exports['.'].types, exports['.'].default, exports['./locks'].default])
    assert.ok((await readFile(join(installed, file), 'utf8')).length > 0, file);
  await assert.rejects(readFile(join(installed, 'cli', 'main.ts')), { code: 'ENOENT' });
});

test('installed in an empty project, it finds a race in a plain node:test file', async () => {
  await writeFile(join(project, 'sum.test.js'), TEST);
  const bin = join(project, 'node_modules', '.bin', 'unweave');
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['NODE_TEST_CONTEXT'];
  const args = [
    bin,
    'run',
    '--max-schedules',
    '5',
    '--json',
    'out.json',
    '--',
    process.execPath,
    '--test',
    'sum.test.js',
  ];
  const failed = await run(process.execPath, args, { cwd: project, env }).then(
    () => assert.fail('exit code 0'),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  assert.equal(failed.code, 1, failed.stderr);
  const report = JSON.parse(await readFile(join(project, 'out.json'), 'utf8'));
  assert.equal(report.bugs.length, 1);
  assert.match(report.bugs[0].entity, /sum\.txt/);
  assert.match(failed.stdout, /unweave replay/);
});
