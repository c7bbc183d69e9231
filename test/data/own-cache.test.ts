import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { makeFolders } from '../../data/make-folders.ts';
import { ownCache } from '../../data/own-cache.ts';
import { temporary } from '../temporary.ts';

const fresh = (): string => temporary('own-cache');

test('a cache is the same again, and git sees nothing of it', () => {
  const dir = join(fresh(), '.unweave/cache');
  const own = ownCache(dir);
  assert.equal(dirname(own), dir);
  assert.equal(ownCache(dir), own);
  assert.equal(readFileSync(join(dirname(dir), '.gitignore'), 'utf8'), '*\n');
});

test('beside a store of the user, only the cache is hidden from git', () => {
  const folder = fresh();
  ownCache(join(folder, 'cache'));
  assert.ok(existsSync(join(folder, 'cache/.gitignore')) && !existsSync(join(folder, '.gitignore')));
});

test('a copy is not trusted, nor is a file that was replaced', () => {
  const root = fresh();
  const own = ownCache(join(root, 'a'));
  makeFolders(own);
  writeFileSync(join(own, 'poison'), '');
  cpSync(join(root, 'a'), join(root, 'b'), { recursive: true, preserveTimestamps: true });
  const copied = ownCache(join(root, 'b'));
  assert.ok(!existsSync(join(copied, 'poison')));
  assert.equal(ownCache(join(root, 'b')), copied);
  const origin = readFileSync(join(root, 'a/origin.json'));
  rmSync(join(root, 'a/origin.json'));
  writeFileSync(join(root, 'a/between'), '');
  writeFileSync(join(root, 'a/origin.json'), origin);
  assert.notEqual(ownCache(join(root, 'a')), own);
});

test('where nothing can be written nothing is kept', () => {
  const first = ownCache('/proc/no-such-folder');
  assert.notEqual(ownCache('/proc/no-such-folder'), first);
});
