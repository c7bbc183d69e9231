import assert from 'node:assert/strict';
import test from 'node:test';
import jetpack from 'fs-jetpack';
import { freshDirectory } from './directory.mjs';

test('files are written, renamed and removed', async (t) => {
  const dir = jetpack.cwd(await freshDirectory(t));
  await dir.writeAsync('notes.txt', 'one', { atomic: true });
  await dir.writeAsync('notes.txt', 'two', { atomic: true });
  assert.equal(await dir.readAsync('notes.txt'), 'two');
  await dir.appendAsync('notes.txt', ' and three');
  await dir.copyAsync('notes.txt', 'copy.txt');
  await dir.renameAsync('notes.txt', 'old.txt');
  assert.deepEqual((await dir.listAsync()).sort(), ['copy.txt', 'old.txt']);
  await dir.removeAsync('copy.txt');
  assert.equal(await dir.existsAsync('copy.txt'), false);
});
