/** Connections that a hook makes: what comes over them is ordered as what the test itself asks for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_ORDERS, project, readReport, run } from '../batch/command.ts';

const COUNTER = `import { readFile } from 'node:fs/promises';
let queue = Promise.resolve();
export class Counter {
  total = 0;
  async racy(n) { const before = this.total; await readFile('package.json'); this.total = before + n; }
  repaired(n) { return (queue = queue.then(() => this.racy(n))); }
}
`;
/** The hook does not wait for its server to hear of both clients. */
const TESTS = `import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { Counter } from './counter.js';
let add, clients, server, total;
beforeEach(async () => {
  const counter = new Counter();
  total = () => counter.total;
  server = net.createServer((socket) => {
    socket.on('data', (data) => counter[add](Number(data)).then(() => socket.write('done')));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  clients = [1, 2].map(() => net.connect(server.address().port, '127.0.0.1'));
  await Promise.all(clients.map((client) => once(client, 'connect')));
});
afterEach(() => {
  for (const client of clients) client.destroy();
  server.close();
});
const both = (how) => async () => {
  add = how;
  await Promise.all(clients.map(async (client, at) => {
    if (at > 0) await new Promise((done) => setTimeout(done, 20));
    client.write(String(at + 1));
    return once(client, 'data');
  }));
  assert.equal(total(), 3);
};
test('racy', both('racy'));
test('repaired', both('repaired'));
`;

test('a race behind connections that a hook made is found, and its repaired twin is silent', async (t) => {
  const cwd = project(t, { 'a.test.js': TESTS, 'counter.js': COUNTER });
  const { code, out } = await run(cwd, [
    ...['run', ...FEW_ORDERS, '--json', 'out.json', '--', process.execPath, '--test', 'a.test.js'],
  ]);
  assert.equal(code, 1, out);
  const { bugs } = readReport(cwd);
  assert.deepEqual(
    bugs.map((bug) => [bug.test, bug.class]),
    [['a.test.js:racy', 'race']],
  );
  assert.match(out, /lost update: .*Counter#total/);
  assert.doesNotMatch(out, /not controlled/);
});
