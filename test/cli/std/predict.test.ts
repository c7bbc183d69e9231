/** `unweave predict --std`, from the command line to its exit code. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { interruptible } from '../../../cli/std/rows.ts';
import { CLASSES, choices, generate } from '../../predictor/threads/generate.ts';
import { emptyFolder, run } from '../io.ts';

const LOST_UPDATE = [
  ['A', 'begin(transfer)'],
  ['A', 'r(balance)'],
  ['A', 'w(balance)'],
  ['A', 'end(transfer)'],
  ['B', 'w(balance)'],
]
  .map(([thread, operation], at) => `${thread}|${operation}|${100 + at}\n`)
  .join('');

function trace(text: string | Buffer): { cwd: string; file: string } {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'trace.std'), text);
  return { cwd, file: 'trace.std' };
}

test('--all --json - prints every reachable occurrence, by lines of the trace, and nothing else', async () => {
  const { cwd, file } = trace(LOST_UPDATE);
  const { code, out, err } = await run(['predict', '--std', file, '--all', '--json', '-'], {}, { cwd });
  assert.deepEqual(JSON.parse(out), [
    {
      pattern: 'RWW',
      entity: 'balance',
      first: 2,
      remote: 5,
      second: 3,
      completes: true,
      schedule: [1, 2, 5, 3],
    },
  ]);
  assert.equal(err, '');
  assert.equal(code, 0);
});

test('the example of docs/std-traces.md is what is printed', async () => {
  const text = readFileSync(new URL('../../../docs/std-traces.md', import.meta.url), 'utf8');
  const [std, json] = [...text.matchAll(/```\w*\n(.*?)```/gs)].map((match) => match[1]!);
  const { cwd, file } = trace(std!);
  const { out } = await run(['predict', '--std', file, '--all', '--json', '-'], {}, { cwd });
  assert.equal(out.trim().replace(/^\{/gm, '  {'), json!.trim());
});

test('without --all the cut points are listed for people, alike ones once', async () => {
  const { cwd, file } = trace(LOST_UPDATE + LOST_UPDATE.replace(/^B.*\n/m, ''));
  const { code, out } = await run(['predict', '--std', file], {}, { cwd });
  assert.match(out, /^RWW balance, 2 alike\n {2}A reads {3}line 2 \(101\)\n {2}B writes {2}line 5 \(104\)\n/);
  assert.match(out, /\n1 cut point in 9 events of 2 threads; 1 triple looked at\n$/);
  assert.equal(code, 0);
});

test('nothing reachable: an empty list', async () => {
  const { cwd, file } = trace('A|r(x)|1\n');
  const { code, out } = await run(['predict', '--std', file, '--all', '--json', '-'], {}, { cwd });
  assert.deepEqual(JSON.parse(out), []);
  assert.equal(code, 0);
});

test('--json with a file writes the same there', async () => {
  const { cwd, file } = trace(LOST_UPDATE);
  const { code, out } = await run(['predict', '--std', file, '--all', '--json', 'found.json'], {}, { cwd });
  assert.equal(JSON.parse(readFileSync(join(cwd, 'found.json'), 'utf8')).length, 1);
  assert.equal(out, '');
  assert.equal(code, 0);
});

test('a script that knows nothing of us agrees', { timeout: 120_000 }, async () => {
  const script = new URL('../../predictor/threads/outside.mjs', import.meta.url).pathname;
  let seed = 1;
  const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >>> 8;
  let rows = 0;
  for (const kind of Object.values(CLASSES))
    for (let i = 0; i < 3; i++) {
      const text = generate({ ...kind, events: 14 }, choices(Array.from({ length: 200 }, random)));
      const { cwd, file } = trace(text);
      const { code, out } = await run(['predict', '--std', file, '--all', '--json', '-'], {}, { cwd });
      assert.equal(code, 0);
      rows += JSON.parse(out).length;
      writeFileSync(join(cwd, 'found.json'), out);
      try {
        execFileSync(process.execPath, [script, join(cwd, file), join(cwd, 'found.json')], {
          encoding: 'utf8',
        });
      } catch (error) {
        assert.fail(`${(error as { stdout: string }).stdout}\n${text}`);
      }
    }
  assert.ok(rows > 50, `${rows} occurrences`);
});

const BAD: Readonly<Record<string, readonly [string | Buffer, RegExp]>> = {
  empty: ['', /^unweave: trace\.std: holds no event$/],
  'binary junk': [Buffer.from([0, 255, 1, 128, 10, 7]), /^unweave: trace\.std: line 1: expected thread\|/],
  'unknown operation': ['A|r(x)|1\nA|cas(x)|2\n', /line 2: unknown operation "cas"$/],
  'cut line': ['A|r(x)|1\nA|r(x', /line 2: expected thread\|operation\(operand\)\|location$/],
  'empty line': ['A|r(x)|1\n\nA|r(x)|1\n', /line 2: empty$/],
  'not lock-valid': ['A|acq(l)|1\nB|acq(l)|2\n', /line 2: B acquires l, which A holds$/],
  'release of a lock not held': ['A|acq(l)|1\nB|rel(l)|2\n', /line 2: B releases l, which it does not hold$/],
  'join of an unforked thread': ['B|r(x)|1\nA|join(B)|2\n', /line 2: A joins B, which nobody forked$/],
};
for (const [name, [text, line]] of Object.entries(BAD))
  test(`${name}: one line, exit code 2`, async () => {
    const { cwd, file } = trace(text);
    const { code, out, err } = await run(['predict', '--std', file, '--all', '--json', '-'], {}, { cwd });
    assert.equal(out, '');
    assert.match(err.trimEnd(), line);
    assert.equal(err.trimEnd().includes('\n'), false);
    assert.equal(code, 2);
  });

test('wrong usage: --all alone, a trace and something to run, no such file', async () => {
  for (const argv of [
    ['predict', '--all'],
    ['predict', '--std', 'trace.std', 'harness.ts'],
    ['predict', '--std', 'missing.std'],
  ]) {
    const { code, err } = await run(argv);
    assert.equal(code, 2, argv.join(' '));
    assert.equal(err.trimEnd().includes('\n'), false);
  }
});

test('a signal ends even work that finds nothing', async () => {
  function* forever(): Generator<null> {
    for (;;) yield null;
  }
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  const work = async (): Promise<void> => {
    for await (const _ of interruptible(forever(), controller.signal));
  };
  await assert.rejects(work, { name: 'AbortError' });
});

test('of a long trace the promising kinds are decided, and what is left is said', async () => {
  const block = (at: number): string =>
    ['A|begin|1', `A|r(x)|${at}`, `A|w(x)|${at + 1}`, 'A|end|2', `B|w(x)|${at + 2}`].join('\n');
  const { cwd, file } = trace(`${Array.from({ length: 200 }, (_, i) => block(10 * i)).join('\n')}\n`);
  const { code, out } = await run(['predict', '--std', file], {}, { cwd });
  // 200 pairs of one transaction, each with 200 remote writes.
  const end = out.slice(-200);
  const said =
    /\n(\d+) cut points in 1000 events of 2 threads; 40000 triples looked at\n(\d+) more reachable/.exec(end);
  assert.ok(said && Number(said[1]) > 5000, end);
  assert.equal(Number(said[1]) + Number(said[2]), 40_000);
  assert.equal(code, 3);
});
