// A user logs out while another request of theirs stores the session.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import session from 'express-session';
import sessionFileStore from 'session-file-store';
import { freshDirectory } from './directory.mjs';

test('a session that was destroyed does not exist', async (t) => {
  const path = await freshDirectory(t);
  const FileStore = sessionFileStore(session);
  const store = new FileStore({ path, retries: 0, reapInterval: -1, logFn: () => {} });
  const set = promisify(store.set.bind(store));
  const get = promisify(store.get.bind(store));
  const touch = promisify(store.touch.bind(store));
  const destroy = promisify(store.destroy.bind(store));
  const cookie = { maxAge: 60_000 };
  await set('s1', { cookie, user: 'ann' });
  await Promise.all([
    touch('s1', { cookie, user: 'ann' }).catch(() => {}),
    sleep(100).then(() => destroy('s1')),
  ]);
  assert.equal(await get('s1').catch(() => undefined), undefined);
});
