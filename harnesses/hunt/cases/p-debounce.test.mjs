// Changes are saved 50 ms after the last one.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pDebounce from 'p-debounce';
import { freshDirectory } from './directory.mjs';

test('the last change is what is saved', async (t) => {
  const file = join(await freshDirectory(t), 'draft');
  let text = '';
  const save = pDebounce(() => writeFile(file, text), 50);
  const type = async (letters) => {
    text += letters;
    await save();
  };
  await Promise.all([type('he'), sleep(30).then(() => type('ll')), sleep(300).then(() => type('o'))]);
  assert.equal(await readFile(file, 'utf8'), 'hello');
});
