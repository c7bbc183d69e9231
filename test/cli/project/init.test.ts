import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../../data/config-file.ts';
import { emptyFolder, run } from '../io.ts';

const WORKFLOW = '.github/workflows/unweave.yml';

function project(manifest: unknown, files: Readonly<Record<string, string>> = {}): string {
  const cwd = emptyFolder();
  mkdirSync(join(cwd, '.git'));
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

const configOf = (cwd: string): string =>
  readdirSync(cwd).find((name) => name.startsWith('unweave.config')) ?? 'none';

test('a project of JavaScript: a configuration with the defaults, and a recipe', async () => {
  const cwd = project({ scripts: { test: 'vitest run' } }, { 'package-lock.json': '{}' });
  const { code, out } = await run(['init'], {}, { cwd });
  assert.equal(code, 0);
  assert.match(
    out,
    /^Vitest is the test runner here\nunweave\.config\.mjs written\n\.github.*unweave\.yml written\n/,
  );
  assert.match(out, /next: npm install --save-dev unweave\nnext: npx unweave run\n$/);
  assert.deepEqual((await loadConfig(cwd)).config, (await loadConfig(emptyFolder())).config);
  assert.match(readFileSync(join(cwd, WORKFLOW), 'utf8'), /- run: npm ci\n[\s\S]*- run: npx unweave run /);
});

test('each line of the configuration can be taken as it stands', async () => {
  for (const manifest of [{ type: 'module', devDependencies: { typescript: '*' } }, {}]) {
    const cwd = project(manifest);
    await run(['init'], {}, { cwd });
    const name = configOf(cwd);
    const text = readFileSync(join(cwd, name), 'utf8');
    writeFileSync(join(cwd, name), text.replace(/^ {2}\/\/ (\w+: .*,)$/gm, '  $1'));
    const { config } = await loadConfig(cwd);
    assert.equal(config.totalTimeMs, 600_000, name);
    assert.equal(config.baseline, 'unweave-known.json');
    assert.deepEqual(config.failOn, ['timing']);
  }
});

test('TypeScript gets a typed configuration, of a name that Node need not guess about', async () => {
  const name = async (manifest: unknown, files = {}) => {
    const cwd = project(manifest, files);
    await run(['init'], {}, { cwd });
    return configOf(cwd);
  };
  assert.equal(await name({ type: 'module', devDependencies: { typescript: '*' } }), 'unweave.config.ts');
  assert.equal(await name({}, { 'tsconfig.json': '{}' }), 'unweave.config.mts');
  assert.equal(await name({}), 'unweave.config.mjs');
});

test('what is there stays as it is', async () => {
  const cwd = project({ scripts: { test: 'jest' } }, { 'unweave.config.json': '{ "seed": 3 }' });
  mkdirSync(join(cwd, '.github/workflows'), { recursive: true });
  writeFileSync(join(cwd, WORKFLOW), 'mine');
  const { code, out } = await run(['init'], {}, { cwd });
  assert.equal(code, 0);
  assert.match(out, /unweave\.config\.json is there and stays as it is\n.*unweave\.yml is there and stays/);
  assert.equal(readFileSync(join(cwd, WORKFLOW), 'utf8'), 'mine');
  assert.equal(configOf(cwd), 'unweave.config.json');
});

test('a package of a repository: the recipe goes to the root and works in the package', async () => {
  const root = project({}, { 'pnpm-lock.yaml': '' });
  const cwd = join(root, 'packages/a');
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'package.json'), '{ "scripts": { "test": "mocha" } }');
  await run(['init'], {}, { cwd });
  const recipe = readFileSync(join(root, WORKFLOW), 'utf8');
  assert.match(recipe, /working-directory: "packages\/a"/);
  assert.match(recipe, /corepack enable[\s\S]*pnpm install --frozen-lockfile[\s\S]*pnpm exec unweave run/);
  assert.match(recipe, /path: "packages\/a\/unweave\.json"/);
});

test('where the tests cannot be seen there is no recipe, and the reason is told', async () => {
  for (const [manifest, says] of [
    [{ scripts: { test: 'ava' } }, /what AVA runs is not seen/],
    [{}, /no test runner found/],
  ] as const) {
    const cwd = project(manifest);
    const { code, out } = await run(['init'], {}, { cwd });
    assert.equal(code, 0);
    assert.match(out, says);
    assert.match(out, /no CI recipe/);
    assert.equal(existsSync(join(cwd, '.github')), false);
  }
});

test('without a project there is nothing to set up', async () => {
  const { code, err } = await run(['init']);
  assert.equal(code, 2);
  assert.match(err, /^unweave: no package\.json here: [^\n]+\n$/);
});
