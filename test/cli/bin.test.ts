import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../cli/bin.ts', import.meta.url));

const start = (args: string[], version?: string) => {
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
Object.defineProperty(process, 'version', { value: 'v${version}' });`;
  const preload = version ? ['--import', `data:text/javascript,${encodeURIComponent(fake)}`] : [];
  return spawnSync(process.execPath, [...preload, BIN, ...args], { encoding: 'utf8' });
};

test('an unsupported Node gets one clear line', () => {
  for (const version of ['20.20.2', '23.11.0', '8.0.0']) {
    const { status, stderr, stdout } = start(['run', 'x'], version);
    assert.equal(status, 2);
    assert.equal(stderr, `unweave: needs Node.js 24 or newer; this is v${version}\n`);
    assert.equal(stdout, '');
  }
});

test('a newer Node is welcome', () => {
  assert.equal(start(['--version'], '26.1.0').status, 0);
});

test('nothing is imported before the check', () => {
  assert.doesNotMatch(readFileSync(BIN, 'utf8'), /^import\b/m);
});

test('the version is that of the package; wrong usage exits with 2', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { status, stdout } = start(['--version']);
  assert.equal(status, 0);
  assert.equal(stdout, `${version}\n`);
  const wrong = start(['run', '--']);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^unweave: no test command after "--"\n$/);
});
