// Two requests of one user put something into their basket.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import session from 'express-session';
import { freshDirectory } from './directory.mjs';

test('both things are in the basket', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'price'), '3');
  const sessions = session({ secret: 's', resave: false, saveUninitialized: true });
  const server = http.createServer((request, response) => {
    sessions(request, response, async () => {
      const price = await readFile(join(dir, 'price'), 'utf8');
      request.session.basket = [...(request.session.basket ?? []), request.url + price];
      response.end(request.session.basket.join());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const site = `http://127.0.0.1:${server.address().port}`;
  const put = async (path, cookie) => {
    const response = await fetch(site + path, { headers: { cookie, connection: 'close' } });
    return { text: await response.text(), cookie: response.headers.get('set-cookie')?.split(';')[0] };
  };
  const { cookie } = await put('/a', '');
  await Promise.all([put('/b', cookie), sleep(100).then(() => put('/c', cookie))]);
  const { text } = await put('/d', cookie);
  assert.deepEqual(text.split(',').sort(), ['/a3', '/b3', '/c3', '/d3']);
});
