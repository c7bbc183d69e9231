/** What tests pace and count by themselves: not the code under test, which a sleep of theirs only calls. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

const FEED = `const { stat } = require('node:fs/promises');
module.exports = class Feed {
  items = [];
  total = 0;
  pressure = 0;
  sent = 0;
  got = 0;
  constructor({ latencyMs = 0, load } = {}) {
    this.latencyMs = latencyMs;
    this.ready = load?.().then((n) => { this.total += n; });
  }
  async count() {
    const seen = this.total;
    await new Promise((resolve) => setTimeout(resolve, this.latencyMs));
    this.total = seen + 1;
  }
  async bump() {
    const seen = this.total;
    await stat('.');
    this.total = seen + 1;
  }
  write(item) {
    this.items.push(item);
    this.pressure++;
    this.more?.();
  }
  take() {
    this.pressure--;
    return this.items.shift();
  }
  async next(ms) {
    let timer;
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('TimeoutError')), ms); });
    if (this.items.length === 0) await Promise.race([late, new Promise((resolve) => { this.more = resolve; })]);
    clearTimeout(timer);
    return this.items.shift();
  }
  async add(n, look) {
    const before = this.total;
    await look();
    this.total = before + n;
  }
  async send(sent, got) {
    await stat('.');
    this.sent++;
    sent();
    await stat('.');
    this.got++;
    got();
  }
  async close(closed) {
    await stat('.');
    closed();
  }
};
`;
const TESTS = `const assert = require('node:assert/strict');
const net = require('node:net');
const { once } = require('node:events');
const { stat } = require('node:fs/promises');
const test = require('node:test');
const { Mutex } = require(${JSON.stringify(createRequire(import.meta.url).resolve('async-mutex'))});
const Feed = require('./feed.cjs');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const checked = (done, check) => { try { check(); done(); } catch (error) { done(error); } };
test('idle', async () => {
  const feed = new Feed();
  (async () => { await wait(30); feed.write(1); })();
  await assert.rejects(feed.next(20), /TimeoutError/);
});
test('paced', async () => {
  const feed = new Feed();
  await Promise.all([
    (async () => { for (let i = 1; i < 4; i++) { await wait(10); feed.write(i); assert.equal(feed.pressure, i); } })(),
    (async () => { await wait(120); feed.take(); assert.equal(feed.pressure, 2); })(),
  ]);
});
test('called', async () => {
  const feed = new Feed();
  const later = async () => { await wait(10); await feed.add(2, () => wait(5)); };
  await Promise.all([later(), feed.add(1, () => wait(5))]);
  assert.equal(feed.total, 3);
});
test('given', async () => {
  const feed = new Feed({ latencyMs: 6 });
  const later = async () => { await wait(20); await feed.count(); };
  await Promise.all([later(), feed.count()]);
  assert.equal(feed.total, 2);
});
test('made', async () => {
  const feed = new Feed({ load: async () => { await wait(4); await wait(10); return 5; } });
  await wait(40);
  await feed.bump();
  await feed.ready;
  assert.equal(feed.total, 6);
});
test('counts', (_, done) => {
  let [sent, got] = [0, 0];
  new Feed().send(() => { sent++; }, () => { got++; });
  setTimeout(() => checked(done, () => assert.equal(sent, got)), 100);
});
test('state', (_, done) => {
  const feed = new Feed();
  feed.send(() => {}, () => {});
  setTimeout(() => checked(done, () => assert.equal(feed.sent, feed.got)), 100);
});
test('called back', (_, done) => {
  let got = 0;
  const feed = new Feed();
  feed.send(() => {}, () => { got++; });
  feed.close(() => setTimeout(() => checked(done, () => assert.equal(got, 1)), 50));
});
test('hangs', (_, done) => {
  const server = net.createServer((socket) => {
    socket.once('data', () => socket.once('data', () => { socket.end(); server.close(); }));
  });
  server.listen(0, () => {
    const client = net.connect(server.address().port, () => {
      client.write('a');
      setTimeout(() => client.write('b'), 200);
      client.on('data', () => {});
      client.on('end', done);
    });
  });
});
test('locks', async () => {
  const [a, b] = [new Mutex(), new Mutex()];
  const both = async (first, second) => {
    const release = await first.acquire();
    await stat('.');
    (await second.acquire())();
    release();
  };
  await Promise.all([both(a, b), wait(100).then(() => both(b, a))]);
});
`;

test('a time of the tests is no latency of the code under test where none of it waits for that', async (t) => {
  const cwd = project(t, { 'a.test.cjs': TESTS, 'feed.cjs': FEED });
  const options = ['--max-schedules', '12', '--confirm', '1', '--json', 'out.json'];
  const { code, out } = await run(cwd, ['run', ...options, '--', process.execPath, '--test', 'a.test.cjs']);
  const classes = new Map(
    readReport(cwd).bugs.map((bug) => [bug.test.replace(/^.*:/, ''), bug.class] as const),
  );
  assert.deepEqual(
    [...classes].sort(),
    [
      ['called back', 'timing'],
      // The function that the code under test calls stands for its latency.
      ['called', 'race'],
      ['counts', 'timing'],
      // What an operation waits for is its latency, whoever says how long.
      ['given', 'race'],
      ['hangs', 'timing'],
      ['idle', 'timing'],
      ['locks', 'race'],
      // A constructor has called what stands for a latency.
      ['made', 'race'],
      ['paced', 'timing'],
      // Any other reader would see the one without the other.
      ['state', 'race'],
    ],
    out,
  );
  assert.equal(code, 1);
});
