/** Tests leave nothing in the temporary directory: what they make there is made by `test/temporary.ts`, which removes it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from '@babel/parser';
import { temporary } from '../temporary.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAKER = join(ROOT, 'test/temporary.ts');

/** Who may ask where it is. */
const MAY_ASK = [
  MAKER,
  // How paths in it are shown.
  join(ROOT, 'test/monitor/host/accesses.test.ts'),
];

/** Whether a module asks for the temporary directory; programs under test that it holds as text may. */
function asks(source: string): boolean {
  if (!source.includes('tmpdir')) return false;
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  const queue: unknown[] = [program];
  for (const each of queue) {
    if (typeof each !== 'object' || each === null) continue;
    const { type, name } = each as { type?: unknown; name?: unknown };
    if (type === 'Identifier' && name === 'tmpdir') return true;
    queue.push(...Object.values(each));
  }
  return false;
}

test('no test asks for the temporary directory', () => {
  const files = globSync('{bench,test}/**/*.{ts,mts,cts}', {
    cwd: ROOT,
    exclude: ['test/projects/**', '**/fixtures/**', '**/node_modules/**'],
  }).map((file) => join(ROOT, file));
  assert.ok(files.length > 400, `${files.length}`);
  const asking = files.filter((file) => asks(readFileSync(file, 'utf8')));
  assert.deepEqual(asking.toSorted(), MAY_ASK.toSorted());
});

test('who asks is found, whatever it is called by', () => {
  assert.ok(asks("import { tmpdir } from 'node:os';"));
  assert.ok(asks("import { tmpdir as where } from 'node:os';"));
  assert.ok(asks("const where = (await import('node:os')).tmpdir();"));
  assert.ok(!asks("const PROGRAM = `import { tmpdir } from 'node:os';`;"));
});

/** A test file, which also starts a process that leaves something. */
const LEAVES = `
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { temporary } from ${JSON.stringify(MAKER)};
test('leaves folders', () => {
  temporary('own');
  const left = "require('fs').mkdtempSync(require('os').tmpdir() + '/others-')";
  spawnSync(process.execPath, ['-e', left]);
});
`;

for (const [how, flags] of [
  ['run by itself', []],
  ['run by the test command', ['--test-global-setup', MAKER]],
] as const)
  test(`a test that is ${how} leaves nothing, or all where that is asked for`, () => {
    const left = (env: Readonly<Record<string, string>>): string[] => {
      const folder = temporary('house');
      const file = join(folder, 'leaves.test.mjs');
      writeFileSync(file, LEAVES);
      const { NODE_TEST_CONTEXT: _, TESTS_TEMPORARY: __, ...own } = process.env;
      const at = join(folder, 'tmp');
      const ran = spawnSync(
        'sh',
        ['-c', 'mkdir "$TMPDIR" && exec "$@"', 'sh', process.execPath, '--test', ...flags, file],
        {
          encoding: 'utf8',
          env: { ...own, TMPDIR: at, ...env },
        },
      );
      assert.equal(ran.status, 0, ran.stdout + ran.stderr);
      assert.ok(existsSync(at));
      return readdirSync(at, { recursive: true }).map((name) =>
        String(name).replace(/[^/-]{6}(?=$|\/)/g, ''),
      );
    };
    assert.deepEqual(left({}), []);
    assert.deepEqual(left({ KEEP_TEMPORARY: '1' }).toSorted(), [
      'unweave-tests-',
      'unweave-tests-/others-',
      'unweave-tests-/own-',
    ]);
  });
