import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLinker } from '../../../monitor/modules/linker.ts';
import { cachedPlan } from '../../../monitor/modules/plan-cache.ts';
import { rewriteModule } from '../../../monitor/modules/rewrite-esm.ts';
import { temporary } from '../../temporary.ts';

const root = temporary('unweave-plans');

const TEXT = `export { x as y } from './b.mjs'; export const z = import.meta.url; export default 1;`;
const make = () => rewriteModule(TEXT, 'a.mjs');
const never = () => assert.fail('made again');

test('a plan comes back as it was made', () => {
  const dir = join(root, 'same');
  assert.deepEqual(cachedPlan(dir, TEXT, make), make());
  assert.deepEqual(cachedPlan(dir, TEXT, never), make());
});

test('another text is another plan', () => {
  const dir = join(root, 'other');
  cachedPlan(dir, TEXT, make);
  assert.throws(() => cachedPlan(dir, `${TEXT} `, never), /made again/);
});

test('a damaged entry is made again', () => {
  const dir = join(root, 'damaged');
  cachedPlan(dir, TEXT, make);
  for (const name of readdirSync(dir)) writeFileSync(join(dir, name), '{"text":');
  assert.deepEqual(cachedPlan(dir, TEXT, make), make());
  assert.deepEqual(cachedPlan(dir, TEXT, never), make());
});

test('a folder that cannot be written is no error', () => {
  writeFileSync(join(root, 'b.txt'), '');
  assert.deepEqual(cachedPlan(join(root, 'b.txt', 'nowhere'), TEXT, make), make());
});

test('modules from the cache run as those that were just rewritten', async () => {
  writeFileSync(join(root, 'b.mjs'), 'export const x = 3;');
  const entry = join(root, 'a.mjs');
  writeFileSync(entry, TEXT);
  const values = async () => {
    const linker = createLinker({
      isFresh: () => true,
      transform: (text) => text,
      cacheDir: join(root, 'run'),
    });
    const { y, z, default: d } = await linker.instance().import(entry);
    return [y, z, d];
  };
  const first = await values();
  assert.equal(first[0], 3);
  assert.deepEqual(await values(), first);
});
