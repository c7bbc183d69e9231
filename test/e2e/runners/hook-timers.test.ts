/** What hooks have set going belongs to the test behind them, which waits for it by a clock that leaps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport, run } from '../batch/command.ts';
import { projectWithRunners, runnerCommands } from './commands.ts';

const POLLER = `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let value = 0;
const read = async () => { await sleep(5); return value; };
const add = async (n) => { const before = await read(); await sleep(5); value = before + n; };
const started = setInterval(() => exports.loaded++, 400);
started.unref();
module.exports = exports = {
  loaded: 0,
  add,
  read,
  begin(ms) { value = 0; return setInterval(() => add(1), ms); },
};
`;

const file = (head: string): string => `${head}
const assert = require('node:assert/strict');
const { scrypt } = require('node:crypto');
const { once } = require('node:events');
const { mkdtempSync } = require('node:fs');
const { access, appendFile, readFile } = require('node:fs/promises');
const { connect, createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { setInterval: every } = require('node:timers/promises');
const { promisify } = require('node:util');
const { gzip } = require('node:zlib');
const poller = require('./poller.cjs');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
describe('set going', () => {
  let ticks, rounds, interval, going, signal;
  beforeEach(async () => {
    [ticks, rounds, going] = [0, 0, true];
    signal = AbortSignal.timeout(500);
    interval = setInterval(() => { ticks += 1; }, 100);
    (async () => { while (going) { await sleep(100); rounds += 1; } })();
    await sleep(120);
  });
  afterEach(() => { clearInterval(interval); going = false; });
  test('goes on', async () => {
    const before = [ticks, rounds, poller.loaded];
    await sleep(1000);
    [ticks, rounds, poller.loaded].forEach((now, i) => assert.ok(now > before[i], String(i)));
    assert.equal(signal.aborted, true);
  });
});
describe('files', () => {
  let begun, log, read, stop;
  beforeEach(() => {
    read = false;
    const folder = mkdtempSync(join(tmpdir(), 'log-'));
    stop = new AbortController();
    log = (async () => {
      try {
        for await (const _ of every(20, null, { signal: stop.signal })) await appendFile(join(folder, 'log'), 'a');
      } catch (error) {
        if (error.name !== 'AbortError') throw error;
      }
    })();
    begun = (async () => {
      for (let i = 0; i < 30; i++) await readFile('package.json');
      read = true;
    })();
  });
  afterEach(() => stop.abort());
  test('a loop that writes is waited for', async () => {
    await access('package.json');
    stop.abort();
    await log;
  });
  test('what was asked for is there', async () => {
    await sleep(100);
    assert.equal(read, true);
  });
  test('what was asked for is waited for', async () => {
    await access('package.json');
    await begun;
  });
});
describe('pool', () => {
  let begun, state;
  beforeEach(() => {
    state = 'asked';
    begun = (async () => {
      for (let i = 0; i < 3; i++) await promisify(scrypt)('password', 'salt', 64, { N: 256 });
      await promisify(gzip)('text');
      state = 'answered';
      await sleep(40);
      state = 'slept';
    })();
  });
  afterEach(() => begun);
  test('a test waits for it', async () => {
    await begun;
    assert.equal(state, 'slept');
  });
  test('it comes before any time passes', async () => {
    await sleep(20);
    assert.equal(state, 'answered');
  });
  test('and so does what it sets', async () => {
    await sleep(500);
    assert.equal(state, 'slept');
  });
});
describe('what is left of a time', () => {
  const state = { n: 0, order: [] };
  beforeEach(async () => {
    Object.assign(state, { n: 0, order: [] });
    for (const ms of [600, 190]) setTimeout(() => { state.n += 1; state.order.push(ms); }, ms);
    clearTimeout(setTimeout(() => state.order.push('never'), 5000));
    await sleep(150);
    setTimeout(() => state.order.push(45), 45);
  });
  test('is known to the test', async () => {
    await sleep(100);
    assert.deepEqual(state.order, [190, 45]);
    await sleep(385);
    const { n } = state;
    await access('package.json');
    state.n = n + 1;
    assert.deepEqual(state, { n: 3, order: [190, 45, 600] });
  });
});
describe('without end', () => {
  let over, stop;
  beforeEach(() => {
    stop = false;
    over = (async () => { while (!stop) await access('package.json'); })();
  });
  afterEach(() => over);
  test('a loop does not keep time from passing', async () => {
    await sleep(50);
    stop = true;
  });
});
describe('socket', () => {
  let server, client, left;
  beforeEach(async () => {
    left = false;
    server = createServer(() => {}).listen(0);
    await once(server, 'listening');
    client = connect(server.address().port);
    client.setTimeout(200, () => { left = true; client.destroy(); });
    await once(client, 'connect');
  });
  afterEach(() => { server.close(); client.destroy(); });
  test('its time-out comes', async () => {
    await sleep(1000);
    assert.equal(left, true);
  });
});
describe('poller', () => {
  let poll;
  beforeEach(() => { poll = poller.begin(2000); });
  afterEach(() => clearInterval(poll));
  test('both add', async () => {
    await sleep(2012);
    await poller.add(10);
    assert.equal(await poller.read(), 11);
  });
});
`;

const OPTIONS = ['--max-schedules', '12', '--confirm', '1', '--json', 'out.json'];
for (const { name, command, extension, extent, head } of runnerCommands(['a.test.cjs']))
  test(name, extent, async (t) => {
    const cwd = projectWithRunners(t, { [`a.test.${extension}`]: file(head), 'poller.cjs': POLLER });
    const { out, err } = await run(cwd, ['run', ...OPTIONS, '--', process.execPath, ...command]);
    const { bugs, tests } = readReport(cwd);
    assert.deepEqual(
      tests.map(({ baseline }) => baseline),
      Array(11).fill('passed'),
      out + err,
    );
    assert.deepEqual(
      bugs.map(({ entity, test }) => [test.replace(/^.*> /, ''), entity]),
      [['both add', 'poller.cjs:value']],
      out,
    );
  });
