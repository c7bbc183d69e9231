import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fs from 'fs-extra';
import { freshDirectory } from './directory.mjs';

test('files are made, moved, copied and removed', async (t) => {
  const dir = await freshDirectory(t);
  const at = (name) => join(dir, name);
  await fs.outputFile(at('a/one.txt'), 'one');
  await fs.ensureFile(at('a/two.txt'));
  await fs.outputFile(at('a/two.txt'), 'two');
  assert.equal(await fs.readFile(at('a/two.txt'), 'utf8'), 'two');
  await fs.copy(at('a'), at('b'));
  await fs.move(at('a/one.txt'), at('c.txt'));
  assert.equal(await fs.pathExists(at('a/one.txt')), false);
  await assert.rejects(fs.move(at('a/two.txt'), at('c.txt')), /dest already exists/);
  assert.equal(await fs.readFile(at('c.txt'), 'utf8'), 'one');
  await fs.remove(at('b'));
  assert.equal(await fs.pathExists(at('b')), false);
});
