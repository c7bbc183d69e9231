// Two handlers count visits; the file is compacted meanwhile.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Datastore from '@seald-io/nedb';
import { freshDirectory } from './directory.mjs';

test('no visit is lost', async (t) => {
  const filename = join(await freshDirectory(t), 'visits.db');
  const db = new Datastore({ filename });
  await db.loadDatabaseAsync();
  await db.insertAsync({ _id: 'home', visits: 0 });
  const visit = () => db.updateAsync({ _id: 'home' }, { $inc: { visits: 1 } });
  await Promise.all([visit(), sleep(50).then(visit), sleep(60).then(() => db.compactDatafileAsync())]);
  const again = new Datastore({ filename });
  await again.loadDatabaseAsync();
  assert.equal((await again.findOneAsync({ _id: 'home' })).visits, 2);
});
