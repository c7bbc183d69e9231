// One start-up makes sure that the journal is there, another one has begun to write it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fs from 'fs-extra';
import { freshDirectory } from './directory.mjs';

test('a journal that exists is not emptied', async (t) => {
  const journal = join(await freshDirectory(t), 'journal.log');
  await Promise.all([fs.ensureFile(journal), sleep(50).then(() => fs.appendFile(journal, 'started\n'))]);
  assert.equal(await fs.readFile(journal, 'utf8'), 'started\n');
});
