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

/** As undici 8 does it when it is loaded: its agent, and for older copies what hands on to that. */
const WRAPPED = `import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
const [ours, older] = [2, 1].map((version) => Symbol.for(\`undici.globalDispatcher.\${version}\`));
class Dispatcher1Wrapper {
  #of;
  constructor(of) { this.#of = of; }
  dispatch(...args) { return this.#of.dispatch(...args); }
  close() { return this.#of.close(); }
}
let server, url;
before(async () => {
  server = createServer((asked, answer) => answer.end('ok'));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  url = \`http://127.0.0.1:\${server.address().port}/\`;
  await (await fetch(url)).text();
  globalThis[ours] = new globalThis[older].constructor();
  globalThis[older] = new Dispatcher1Wrapper(globalThis[ours]);
});
after(() => { server.closeAllConnections(); server.close(); });
for (const nth of [1, 2])
  test(\`asks \${nth}\`, async () => assert.equal(await (await fetch(url)).text(), 'ok'));
`;

test('what hands on to the agent of fetch hands on to the one that takes its place', async (t) => {
  const cwd = project(t, { 'a.test.js': WRAPPED });
  const { code, out } = await run(cwd, [
    ...['run', ...FEW_ORDERS, '--json', 'out.json', '--', process.execPath, '--test', 'a.test.js'],
  ]);
  assert.equal(code, 0, out);
  assert.deepEqual(
    readReport(cwd).tests.map(({ baseline }) => baseline),
    ['passed', 'passed'],
  );
});
