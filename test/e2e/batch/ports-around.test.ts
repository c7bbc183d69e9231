/** Tests of one file that speak to a server of the test around them, at a port that only one process can have: they take turns. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { project, readReport, run } from './command.ts';

/** One that nobody of this machine has, and that the kernel does not choose. */
async function freePort(from = 20_000 + (process.pid % 10_000)): Promise<number> {
  const server = net.createServer();
  try {
    await once(server.listen(from, '127.0.0.1'), 'listening');
    return from;
  } catch {
    return freePort(from + 1);
  } finally {
    server.close();
  }
}

const textWith = (port: number): string => `import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { test } from 'node:test';
test('all', async (t) => {
  const server = net.createServer((socket) => socket.on('data', (data) => socket.end(data)).on('error', () => {}));
  server.listen(${port}, '127.0.0.1');
  await once(server, 'listening');
  let client;
  t.beforeEach(async () => {
    client = net.connect(${port}, '127.0.0.1');
    await once(client, 'connect');
  });
  t.after(() => server.close());
  for (const nth of [1, 2, 3])
    await t.test('asks ' + nth, async () => {
      client.write('x');
      await Promise.all([once(client, 'data'), readFile('a.test.mjs'), readFile('a.test.mjs')]);
      client.end();
    });
});
`;

test('tests whose file has a port of its own take turns', async (t) => {
  const cwd = project(t, { 'a.test.mjs': textWith(await freePort()) });
  const options = ['--max-schedules', '6', '--jobs', '3', '--json', 'out.json'];
  const { out } = await run(cwd, ['run', ...options, '--', 'node', '--test']);
  const { bugs, tests } = readReport(cwd);
  assert.deepEqual(bugs, [], out);
  assert.deepEqual(
    tests.map(({ baseline, ownProcesses }) => [baseline, ownProcesses]),
    [1, 2, 3].map(() => ['passed', null]),
    out,
  );
});
