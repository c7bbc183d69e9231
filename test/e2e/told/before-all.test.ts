/** What the test does behind a sleep: before anything has begun that it was to wait for, and by requests to its server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

const APP = `const http = require('node:http');
const { once } = require('node:events');
const { stat } = require('node:fs/promises');
module.exports = class App {
  isClosed = false;
  state = null;
  constructor(ask) {
    this.ask = ask;
    this.server = http.createServer((req, res) => {
      if (req.url === '/long') return this.long(res);
      if (req.url === '/end') this.end();
      if (req.url === '/memo') this.memo ??= this.state;
      if (req.url === '/state') res.statusCode = this.state === 'open' ? 200 : 404;
      if (req.url === '/state') return res.end();
      return this.answer(res);
    });
  }
  async listen() {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this.server.address().port;
  }
  answer(res) {
    res.statusCode = this.isClosed ? 503 : 200;
    res.end();
  }
  async long(res) {
    if (this.isClosed) return this.answer(res);
    await stat('.');
    this.answer(res);
  }
  open() {
    return stat('.').then(() => { this.state = 'open'; });
  }
  async load() {
    await this.ask();
    this.state = 'open';
  }
  fill(done) {
    this.ask((state) => { this.state = state; done(); });
  }
  drain() {
    this.isClosed = true;
  }
  end() {
    this.state = 'over';
  }
};
`;
const TESTS = `const assert = require('node:assert/strict');
const { stat } = require('node:fs/promises');
const http = require('node:http');
const test = require('node:test');
const App = require('./app.cjs');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const get = (port, path) => new Promise((resolve, reject) => {
  http.get({ port, path, host: '127.0.0.1', agent: false }, (res) => {
    res.resume();
    res.on('end', () => resolve(res.statusCode));
  }).on('error', reject);
});
for (const path of ['/short', '/long'])
  test(path.slice(1), async () => {
    const app = new App();
    const answer = get(await app.listen(), path);
    await wait(60);
    app.drain();
    assert.equal(await answer, 200);
    app.server.close();
  });
const overHttp = (name, path, check) =>
  test(name, async () => {
    const app = new App();
    const port = await app.listen();
    const opening = app.open();
    await wait(60);
    const status = await get(port, path);
    await opening;
    check(app, status);
    app.server.close();
  });
overHttp('asked', '/state', (_, status) => assert.equal(status, 200));
overHttp('told', '/end', (app) => assert.equal(app.state, 'over'));
overHttp('kept', '/memo', (app) => assert.equal(app.memo, 'open'));
const called = (name, ask, begin) =>
  test(name, async () => {
    const app = new App(ask);
    const begun = begin(app);
    await wait(60);
    app.end();
    await begun;
    assert.equal(app.state, 'over');
  });
called('called', undefined, (app) => app.open());
called('called back', (done) => stat('.').then(() => done('open')), (app) => new Promise((done) => app.fill(done)));
called('stand-in', () => stat('.'), (app) => app.load());
`;

test('what comes behind a sleep is a race where it acts while something of the code under test is under way', async (t) => {
  const cwd = project(t, { 'a.test.cjs': TESTS, 'app.cjs': APP });
  const options = ['--max-schedules', '30', '--confirm', '1', '--json', 'out.json'];
  const { out } = await run(cwd, ['run', ...options, '--', process.execPath, '--test', 'a.test.cjs']);
  const classes = readReport(cwd).bugs.map((bug) => [bug.test.replace(/^.*:/, ''), bug.class] as const);
  assert.deepEqual(
    classes.sort(),
    [
      // A server of the test's own process is seen: it only looks there.
      ['asked', 'timing'],
      // Whose a callback is, nothing tells.
      ['called back', 'race'],
      ['called', 'race'],
      // It looks, and keeps what it has seen.
      ['kept', 'race'],
      // The answer is looked up, and then given.
      ['long', 'race'],
      // The request has not even arrived.
      ['short', 'timing'],
      // What an operation waits for is under way with it.
      ['stand-in', 'race'],
      ['told', 'race'],
    ],
    out,
  );
});

test('nor is it known of code under test in the file of the test itself whether that is under way', async (t) => {
  const one = `const assert = require('node:assert/strict');
const { stat } = require('node:fs/promises');
const test = require('node:test');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
class App {
  open() { return stat('.').then(() => { this.state = 'open'; }); }
  end() { this.state = 'over'; }
}
test('called', async () => {
  const app = new App();
  const opening = app.open();
  await wait(60);
  app.end();
  await opening;
  assert.equal(app.state, 'over');
});
`;
  const cwd = project(t, { 'a.test.cjs': one });
  const options = ['--max-schedules', '5', '--confirm', '1', '--json', 'out.json'];
  const { out } = await run(cwd, ['run', ...options, '--', process.execPath, '--test', 'a.test.cjs']);
  assert.deepEqual(
    readReport(cwd).bugs.map((bug) => bug.class),
    ['race'],
    out,
  );
});
