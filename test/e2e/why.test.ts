/** `unweave inspect` with three places: whether that is a cut point, or which lock or edge forbids it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporary } from '../temporary.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const dir = temporary('unweave-why');

function unweave(...args: string[]) {
  const argv = [join(ROOT, 'dist/cli/bin.js'), args[0]!, '--store', join(dir, 'trace.db'), ...args.slice(1)];
  return spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' });
}

before(() => {
  const done = unweave('monitor', 'harnesses/demo', 'harnesses/threads/account.ts');
  assert.equal(done.status, 0, done.stderr);
});

test('host answers: reachable, a lock, or an order of causes', () => {
  const [read, rename] = ['coffee-shop.ts:50', 'coffee-shop.ts:56'];
  const { stdout, status } = unweave('inspect', `${read}-${rename}-${read}`);
  assert.equal(status, 0);
  const blocks = stdout.trimEnd().split('\n\n');
  const has = (test: string, verdict: string, why: RegExp): boolean =>
    blocks.some((block) => block.includes(test) && block.includes(`: ${verdict}\n`) && why.test(block));
  assert.ok(
    has('› coffee shop', 'reachable', /some order of host answers brings the remote access between/),
    stdout,
  );
  assert.ok(
    has('› careful coffee shop', 'unreachable', /both hold Mutex@harnesses\/demo\/coffee-shop\.ts:\d+/),
    stdout,
  );
  assert.ok(
    has('› coffee shop', 'unreachable', /comes after the second one: what waits for fs\.\w+ /),
    stdout,
  );
  assert.equal(has('› careful coffee shop', 'reachable', /./), false);
});

test('threads: the same', () => {
  const places = 'account.ts:28-account.ts:29-account.ts:28';
  const { stdout } = unweave('inspect', places);
  assert.match(stdout, /^RWW on a\.balance: reachable\n {2}harnesses\/threads\/account\.ts › account\/bad\n/);
  assert.match(stdout, /: unreachable\n.*\n {2}there and back both hold a\.monitor\n/s);
  const json = JSON.parse(unweave('inspect', places, '--json', '-').stdout);
  assert.equal(json.triples.length, stdout.trimEnd().split('\n\n').length);
  assert.deepEqual(Object.keys(json.triples[0]).sort(), [
    ...['entity', 'first', 'pattern', 'remote', 'second', 'testTitle', 'verdict', 'why'],
  ]);
});

test('places where nothing of the kind runs', () => {
  const { stdout, status } = unweave('inspect', 'a.ts:1-a.ts:2-a.ts:3');
  assert.deepEqual([stdout, status], ['no three accesses at these places form a pattern\n', 0]);
});
