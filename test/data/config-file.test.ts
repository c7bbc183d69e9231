import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError } from '../../data/config.ts';
import { loadConfig } from '../../data/config-file.ts';
import { folder } from './store/support.ts';

const withFiles = (files: Readonly<Record<string, string>>): string => {
  const cwd = folder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
};

const refused = async (cwd: string, message: string | RegExp, named?: string): Promise<void> => {
  await assert.rejects(loadConfig(cwd, named), (error: unknown) => {
    assert.ok(error instanceof ConfigError, String(error));
    assert.ok(!error.message.includes('\n'), error.message);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });
};

const TYPED = `
import type { UserConfig } from 'unweave/config';
const confirm: number = 5;
export default { confirm } satisfies UserConfig;
`;

for (const [name, text] of [
  ['unweave.config.json', '{ "confirm": 5 }'],
  ['unweave.config.mjs', 'export default { confirm: await Promise.resolve(5) };'],
  ['unweave.config.cjs', 'module.exports = { confirm: 5 };'],
  ['unweave.config.js', 'module.exports = { confirm: 5 };'],
  ['unweave.config.mts', TYPED],
  ['package.json', '{ "unweave": { "confirm": 5 } }'],
] as const)
  test(`${name} is found and read`, async () => {
    const { config, origin } = await loadConfig(withFiles({ [name]: text }));
    assert.equal(config.confirm, 5);
    assert.equal(config.seed, 1);
    assert.ok(origin?.includes(name));
  });

test('unweave.config.ts and .js follow the type of their package', async () => {
  const manifest = { 'package.json': '{ "type": "module" }' };
  const typed = await loadConfig(withFiles({ ...manifest, 'unweave.config.ts': TYPED }));
  assert.equal(typed.config.confirm, 5);
  const plain = withFiles({ ...manifest, 'unweave.config.js': 'export default { confirm: 6 };' });
  assert.equal((await loadConfig(plain)).config.confirm, 6);
});

test('none means the defaults; one that was named must be there', async () => {
  const cwd = folder();
  assert.deepEqual((await loadConfig(cwd)).origin, null);
  await refused(cwd, `${join(cwd, 'ci.json')}: no such file`, 'ci.json');
});

test('a package.json without the key, or one that is no JSON, is no configuration', async () => {
  for (const text of ['{}', '{', '[]', 'null'])
    assert.equal((await loadConfig(withFiles({ 'package.json': text }))).origin, null);
  const cwd = withFiles({ 'package.json': '{}' });
  await refused(cwd, /package\.json: no key "unweave"/, 'package.json');
});

test('two at once are an error that names both, unless one is named', async () => {
  const cwd = withFiles({
    'unweave.config.json': '{ "confirm": 4 }',
    'package.json': '{ "unweave": { "confirm": 6 } }',
  });
  const line =
    'two configurations, unweave.config.json and the key "unweave" of package.json: keep one, or name one with --config';
  await refused(cwd, line);
  assert.equal((await loadConfig(cwd, 'unweave.config.json')).config.confirm, 4);
  assert.equal((await loadConfig(cwd, 'package.json')).config.confirm, 6);
});

test('a wrong value names the file and the way to the key', async () => {
  const inPackage = withFiles({ 'package.json': '{ "unweave": { "confirm": 0 } }' });
  await refused(inPackage, /package\.json: unweave\.confirm: /);
  const unknown = withFiles({ 'unweave.config.mjs': 'export default { maxSchedule: 3 };' });
  await refused(unknown, /config\.mjs: unknown key "maxSchedule" \(did you mean "maxSchedules"\?\)$/);
});

test('a module that cannot be loaded says why, in one line', async () => {
  await refused(withFiles({ 'unweave.config.mjs': 'throw new TypeError("no\\nway")' }), /TypeError: no way$/);
  await refused(withFiles({ 'unweave.config.mjs': 'export const a = 1;' }), /exports no configuration/);
  await refused(withFiles({ 'unweave.config.mjs': 'export default [' }), /cannot be loaded: SyntaxError/);
  await refused(withFiles({ 'unweave.config.mjs': 'import "gone";' }), /cannot be loaded: .*'gone'/);
});

test('a file that cannot be read says why', async () => {
  const cwd = folder();
  mkdirSync(join(cwd, 'unweave.config.json'));
  await refused(cwd, /unweave\.config\.json: cannot be read \(EISDIR\)/);
});
