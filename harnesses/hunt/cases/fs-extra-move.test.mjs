// Two uploads are moved to one name, without permission to overwrite: the second is refused.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fs from 'fs-extra';
import { freshDirectory } from './directory.mjs';

test('of two uploads one gets the name, and the other stays where it was', async (t) => {
  const dir = await freshDirectory(t);
  const target = join(dir, 'report.pdf');
  const publish = async (name) => {
    const upload = join(dir, name);
    await fs.writeFile(upload, name);
    await fs.move(upload, target).catch((error) => assert.match(error.message, /dest already exists/));
  };
  await Promise.all([publish('ann'), sleep(50).then(() => publish('bob'))]);
  assert.equal((await fs.readdir(dir)).length, 2, 'an upload is lost');
});
