// Two services of one process ask for the same preferred port.
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { mkdtemp, readFile, writeFile } = require('node:fs/promises');
const { createServer } = require('node:http');
const { join } = require('node:path');
const test = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');
const getPort = require('get-port-buggy');

test('two services with the same preferred port both come up', async () => {
  const dir = await mkdtemp('services-');
  for (const name of ['web', 'admin'])
    await writeFile(join(dir, `${name}.json`), JSON.stringify({ greeting: `hello from ${name}` }));
  const running = [];
  const listen = async (server, port) => {
    running.push(server.listen(port));
    await once(server, 'listening');
    return server.address().port;
  };
  const free = createServer();
  const preferred = await listen(free, 0);
  free.close();
  await once(free, 'close');

  const startService = async (name) => {
    const port = await getPort({ port: preferred });
    const settings = JSON.parse(await readFile(join(dir, `${name}.json`), 'utf8'));
    return listen(createServer((_, response) => response.end(settings.greeting)), port);
  };
  try {
    const [web, admin] = await Promise.all([
      startService('web'),
      sleep(100).then(() => startService('admin')),
    ]);
    assert.notEqual(web, admin);
  } finally {
    for (const server of running) server.close();
  }
});
