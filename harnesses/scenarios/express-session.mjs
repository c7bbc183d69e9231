// Requests of one user, each of which puts something into the basket of the session.
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import session from 'express-session';
import { scenario } from 'unweave';

async function ask({ server, cookie }, path) {
  const site = `http://127.0.0.1:${server.address().port}`;
  const response = await fetch(site + path, { headers: { cookie, connection: 'close' } });
  return { text: await response.text(), cookie: response.headers.get('set-cookie')?.split(';')[0] };
}

scenario({
  name: 'express-session',
  async setup({ dir }) {
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
    return { server, ...(await ask({ server, cookie: '' }, '/a')) };
  },
  operations: {
    put: { run: async (it, path) => (await ask(it, path)).text, args: [['/b'], ['/c']] },
  },
  observe: async (it) => (await ask(it, '/d')).text,
  teardown: ({ server }) => server.close(),
});
