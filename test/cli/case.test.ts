/** One test case, as people name it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseCase, wantedCase } from '../../cli/case.ts';
import { run } from './io.ts';

const TESTS = [
  { file: 'test/bank.test.ts', name: 'bank > two deposits' },
  { file: 'test/bank.test.ts', name: 'bank > two deposits at once' },
  { file: 'test/cart.test.ts', name: 'two deposits' },
  { file: 'lib/cart.test.ts', name: 'adds' },
];

const choose = (given: readonly string[], pattern?: string): string => {
  const { file, name } = chooseCase(TESTS, wantedCase(given, pattern), '/project');
  return `${file} ${name}`;
};

test('a file, a name, both, or a pattern', () => {
  assert.equal(choose(['test/cart.test.ts']), 'test/cart.test.ts two deposits');
  assert.equal(choose(['./test/cart.test.ts']), 'test/cart.test.ts two deposits');
  assert.equal(choose(['/project/lib/cart.test.ts']), 'lib/cart.test.ts adds');
  assert.equal(choose(['test/bank.test.ts', 'two deposits']), 'test/bank.test.ts bank > two deposits');
  assert.equal(choose(['at once']), 'test/bank.test.ts bank > two deposits at once');
  assert.equal(choose(['bank two deposits at once']), 'test/bank.test.ts bank > two deposits at once');
  assert.equal(choose(['two deposits']), 'test/cart.test.ts two deposits', 'the whole name before a part');
  assert.equal(choose([], '^bank two deposits$'), 'test/bank.test.ts bank > two deposits');
  assert.equal(choose(['test/bank.test.ts'], 'once'), 'test/bank.test.ts bank > two deposits at once');
});

test('several, none, and what is no name are told in one line', () => {
  assert.throws(
    () => choose(['test/bank.test.ts']),
    /one test at a time: 2 are called .*bank > two deposits, /,
  );
  assert.throws(() => choose([]), /one test at a time: 4 are there: test\/bank\.test\.ts › bank > two/);
  assert.throws(() => choose(['nobody']), /no test is called "nobody"; there are test\/bank/);
  assert.throws(
    () => choose(['test/cart.test.ts', 'nobody']),
    /no test .*; there are test\/cart\.test\.ts › two deposits$/,
  );
  assert.throws(() => choose(['a', 'b', 'c']), /one file and one name/);
  assert.throws(() => choose([], '('), /--test-name-pattern \(: not a regular expression/);
  assert.throws(() => chooseCase([], wantedCase([], undefined), '/project'), /no test that is seen/);
});

test('a command without "--" is told how it is written', async () => {
  const { code, err } = await run(['explain', 'node', '--test', '--test-name-pattern', 'x']);
  assert.equal(code, 2);
  assert.match(err, /goes after "--": unweave explain -- node --test --test-name-pattern x/);
});

test('it is patient with one test, keeps the store of others, and counts whatever fails', async () => {
  const asked = async (...argv: string[]) => {
    let options: Record<string, unknown> = {};
    const explainCase = async (_: unknown, given: object) => {
      options = { ...given };
      throw new Error('enough');
    };
    const { runExplain } = await import('../../cli/handlers.ts');
    const { Command } = await import('commander');
    const { addFlags } = await import('../../cli/flags.ts');
    const command = addFlags(new Command().exitOverride(), ['explain', 'budget', 'known', 'common']);
    command.parse(argv, { from: 'user' });
    const io = { cwd: '/', env: {}, stdout: process.stdout, stderr: process.stderr } as const;
    const pipeline = async () => ({ explainCase }) as never;
    const signal = new AbortController().signal;
    await assert.rejects(
      runExplain(['x'], command.opts(), ['node', '--test'], { ...io, signal, pipeline }),
      /enough/,
    );
    return options;
  };
  const plain = await asked();
  assert.deepEqual(
    [plain['isThorough'], plain['store'], plain['maxTimeMs'], plain['times']],
    [true, '.unweave/explain.db', 300_000, 10],
  );
  assert.deepEqual(plain['failOn'], ['timing', 'conditional']);
  const own = await asked('--max-time', '1h', '--store', 'own.db', '--times', '2');
  assert.deepEqual([own['store'], own['maxTimeMs'], own['times']], ['own.db', 3_600_000, 2]);
});
