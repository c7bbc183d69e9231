import assert from 'node:assert/strict';
import test from 'node:test';
import { promisify } from 'node:util';
import session from 'express-session';
import sessionFileStore from 'session-file-store';
import { freshDirectory } from './directory.mjs';

const FileStore = sessionFileStore(session);
const cookie = { maxAge: 60_000 };

test('a session is stored, touched and destroyed', async (t) => {
  const path = await freshDirectory(t);
  const store = new FileStore({ path, retries: 0, reapInterval: -1, logFn: () => {} });
  const set = promisify(store.set.bind(store));
  const get = promisify(store.get.bind(store));
  const touch = promisify(store.touch.bind(store));
  const destroy = promisify(store.destroy.bind(store));
  await set('s1', { cookie, user: 'ann' });
  assert.equal((await get('s1')).user, 'ann');
  await touch('s1', { cookie });
  await set('s1', { cookie, user: 'bob' });
  assert.equal((await get('s1')).user, 'bob');
  await touch('s1', { cookie });
  await destroy('s1');
  await assert.rejects(get('s1'));
});
