// Two handlers insert and save.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import Loki from 'lokijs';
import { freshDirectory } from './directory.mjs';

test('what was saved is in the file', async (t) => {
  const file = join(await freshDirectory(t), 'notes.db');
  const open = () => new Loki(file, { autoload: false, autosave: false });
  const db = open();
  const notes = db.addCollection('notes');
  const save = promisify(db.saveDatabase.bind(db));
  const add = async (text) => {
    notes.insert({ text });
    await save();
  };
  await Promise.all([add('one'), sleep(50).then(() => add('two'))]);
  const again = open();
  await promisify(again.loadDatabase.bind(again))({});
  assert.equal(again.getCollection('notes').count(), 2);
});
