/** Races and timing-dependent tests: programs on both sides of the line, each near one on the other side. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isRun } from '../../extent.ts';
import { project, readReport, run } from '../batch/command.ts';

const HEAD = `import assert from 'node:assert/strict';
import { appendFile } from 'node:fs';
import { Writable } from 'node:stream';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
const nap = (ms) => new Promise((done) => setTimeout(done, ms));
class Log {
  lines = 0;
  async save() { await readFile('package.json'); this.lines += 1; }
}
class Account {
  balance = 0;
  async deposit(n) { const before = this.balance; await readFile('package.json'); this.balance = before + n; }
  async slowly(n, ms) { await sleep(ms); const before = this.balance; await sleep(5); this.balance = before + n; }
}
`;

const TIMING: Readonly<Record<string, string>> = {
  'a sleep, then an assertion': `async () => {
    const log = new Log();
    log.save();
    await sleep(30);
    assert.equal(log.lines, 1);
  }`,
  'a helper that sleeps': `async () => {
    const log = new Log();
    log.save();
    await nap(60);
    assert.equal(log.lines, 1);
  }`,
  'a callback that asserts': `(t, done) => {
    const log = new Log();
    log.save();
    setTimeout(() => { assert.equal(log.lines, 1); done(); }, 60);
  }`,
  'a second phase behind the sleep': `async () => {
    const log = new Log();
    log.save();
    await sleep(30);
    assert.equal(log.lines, 1);
    log.save();
    await sleep(30);
    assert.equal(log.lines, 2);
  }`,
  'a clean-up behind the sleep': `async () => {
    await mkdir('d', { recursive: true });
    const work = writeFile('d/x', 'x').then(() => readFile('d/x'));
    await sleep(40);
    await rm('d', { recursive: true });
    await work;
  }`,
  'which of its fixed times is over first': `async () => {
    const order = [];
    const each = (n) => new Promise((done) => setTimeout(() => { order.push(n); done(); }, n * 20));
    await Promise.all([1, 3, 2].map((n) => each(n)));
    assert.deepEqual(order, [1, 2, 3]);
  }`,
  'a time-out of the test': `async () => {
    const slow = new Promise((_, reject) => setTimeout(() => reject(new Error('too slow')), 80));
    assert.equal(typeof (await Promise.race([readFile('package.json', 'utf8'), slow])), 'string');
  }`,
  'two fixed times, between which the process stands still': `async () => {
    let done = false;
    setTimeout(() => { done = true; }, 120);
    await sleep(40);
    assert.equal(done, false);
    await sleep(200);
  }`,
  'two sleeps that are to be over one after the other': `async () => {
    const order = [];
    await Promise.all([sleep(120).then(() => order.push(2)), sleep(5).then(() => order.push(1))]);
    assert.deepEqual(order, [1, 2]);
  }`,
  'a sleep to be over before a time of the code': `async () => {
    let calls = 0;
    let timer;
    const soon = () => { clearTimeout(timer); timer = setTimeout(() => { calls += 1; }, 120); };
    soon();
    await sleep(30);
    soon();
    await sleep(300);
    assert.equal(calls, 1);
  }`,
  'looking again and again, but not for ever': `async () => {
    const log = new Log();
    log.save();
    for (let i = 0; i < 8 && log.lines < 1; i++) await sleep(10);
    assert.equal(log.lines, 1);
  }`,
  'a loop that writes at a pace': `async () => {
    let pieces = 0;
    const file = new Writable({
      write: (piece, _, done) => { pieces += 1; appendFile('pace', piece, done); },
      writev: (all, done) => { pieces += 1; appendFile('pace', all.map(({ chunk }) => chunk).join(''), done); },
    });
    for (let i = 0; i < 4; i++) {
      file.write('x');
      await sleep(20);
    }
    assert.equal(pieces, 4);
  }`,
  'a sleep in what the host calls': `(t, done) => {
    const log = new Log();
    appendFile('called', 'x', () => {
      log.save();
      setTimeout(() => { assert.equal(log.lines, 1); done(); }, 60);
    });
  }`,
  'a time-out in what the host calls': `(t, done) => {
    const log = new Log();
    appendFile('called', 'x', () => {
      const hung = setTimeout(() => { log.lines = 9; done(new Error('hung')); }, 80);
      log.save().then(() => { clearTimeout(hung); done(); });
    });
  }`,
  'a time-out behind which it puts away what others use': `async () => {
    const log = new Log();
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 80));
    try { await Promise.race([log.save(), late]); } finally { log.lines = 9; }
  }`,
  'a pace of the test, while the process stands still': `async () => {
    let ticks = 0;
    const pace = setInterval(() => { ticks += 1; }, 10);
    await new Account().slowly(1, 100);
    clearInterval(pace);
    assert.ok(ticks >= 3);
  }`,
  // The copy has several effects under one name, and the sleep comes between these.
  'a sleep, while a file is copied': `async () => {
    const log = new Log();
    copyFile('package.json', 'copy').then(() => { log.lines += 1; });
    await sleep(30);
    assert.equal(log.lines, 1);
  }`,
};

/** Its times are not the test's: they stand for those of a server. */
const SEARCH = `export const shown = [];
const tookMs = { a: 10, ab: 30 };
export function search(what, done) {
  setTimeout(() => { shown[0] = what; done(); }, tookMs[what]);
}
`;

const RACES: Readonly<Record<string, string>> = {
  'the sleep begins another operation': `async () => {
    const account = new Account();
    const first = account.deposit(1);
    await sleep(20);
    await Promise.all([first, account.deposit(2)]);
    assert.equal(account.balance, 3);
  }`,
  'the operation behind the sleep is awaited in place': `async () => {
    const made = [];
    const cache = new Map();
    const get = async (key) => {
      if (!cache.has(key)) { made.push(key); cache.set(key, await readFile('package.json')); }
      return cache.get(key);
    };
    const first = get('a');
    await sleep(40);
    await get('a');
    await first;
    assert.equal(made.length, 1);
  }`,
  'what goes on behind the sleep lets go what waits': `async () => {
    const door = {
      isOpen: false,
      waiting: [],
      async pass() {
        await readFile('package.json');
        await new Promise((go) => this.waiting.push(go));
        return this.isOpen;
      },
      open() {
        this.isOpen = true;
        for (const go of this.waiting) go();
      },
    };
    const [passed] = await Promise.all([door.pass(), sleep(20).then(() => door.open())]);
    assert.ok(passed);
  }`,
  'what is looked at is torn only in between': `async () => {
    await writeFile('t', 'old');
    const saved = writeFile('t', 'new');
    await sleep(20);
    assert.ok(['old', 'new'].includes(await readFile('t', 'utf8')));
    await saved;
  }`,
  'sleeps inside operations are their latency': `async () => {
    const account = new Account();
    await Promise.all([account.slowly(1, 100), account.slowly(2, 25)]);
    assert.equal(account.balance, 3);
  }`,
  'a time-out of an operation': `async () => {
    const load = () =>
      Promise.race([
        readFile('package.json', 'utf8'),
        sleep(80).then(() => { throw new Error('too slow'); }),
      ]);
    const [text] = await Promise.all([load()]);
    assert.equal(typeof text, 'string');
  }`,
  'sleeps inside operations that call back are their latency': `(t, done) => {
    let balance = 0;
    let left = 2;
    const deposit = (n) =>
      appendFile('called', 'x', () => {
        const before = balance;
        setTimeout(() => {
          balance = before + n;
          left -= 1;
          if (left > 0) return;
          assert.equal(balance, 3);
          done();
        }, 5);
      });
    deposit(1);
    setTimeout(() => deposit(2), 60);
  }`,
  'a loop at whose pace operations run that each cut the one before': `async () => {
    const account = new Account();
    const all = [];
    for (let i = 0; i < 3; i++) {
      all.push(account.deposit(1));
      await sleep(20);
    }
    await Promise.all(all);
    assert.equal(account.balance, 3);
  }`,
  'a sleep beside a race that needs none': `async () => {
    const account = new Account();
    const both = Promise.all([account.deposit(1), sleep(3).then(() => account.deposit(2))]);
    await sleep(60);
    await both;
    assert.equal(account.balance, 3);
  }`,
};

const file = (cases: Readonly<Record<string, string>>): string =>
  HEAD +
  Object.entries(cases)
    .map(([name, body]) => `test(${JSON.stringify(name)}, ${body});\n`)
    .join('');

/** What tells the class of a failure comes with its first orders; one confirmation instead of three. */
const FEW = ['--max-schedules', '24', '--confirm', '1'];

const analysed = (cwd: string, ...options: string[]) =>
  run(cwd, ['run', '--json', 'out.json', ...FEW, ...options, '--', 'node', '--test']);

/**
 * The class of what was found in each test case: a race where one of its errors is that. A case may fail in another way besides: Node
 * 26 takes fewer steps for a file, so that one step has to be late by all that time.
 */
function classes(cwd: string): Record<string, string> {
  const { bugs } = readReport(cwd);
  const races = bugs.filter((bug) => bug.class === 'race');
  return Object.fromEntries([...bugs, ...races].map((bug) => [bug.test.replace(/^.*?:/, ''), bug.class]));
}

/** Each takes a second in several processes; what tells them apart has tests of its own beside the rule. */
const part = (cases: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(cases).filter((_, at) => isRun(at, 2)));

const each = (cases: Readonly<Record<string, string>>, is: string) =>
  Object.fromEntries(Object.keys(cases).map((name) => [name, is]));

test('a fixed time of the test’s own that is too short: a class of its own, not counted', async (t) => {
  const some = part(TIMING);
  const cwd = project(t, { 'a.test.js': file(some) });
  const { code, out } = await analysed(cwd);
  assert.deepEqual(classes(cwd), each(some, 'timing'));
  assert.equal(code, 0);
  assert.match(
    out,
    /~ timing-dependent test: the test's own `setTimeout 30 ms` \(a\.test\.js:\d+\) is over before/,
  );
  const count = Object.keys(some).length;
  assert.match(out, new RegExp(`no bug confirmed in ${count} tests · ${count} timing-dependent`));
  assert.match(out, /this takes a busy machine/);
});

/** Its server would be done after 700 ms, and nobody waits for that. */
const LEFT = `import { once } from 'node:events';
import { createServer, get } from 'node:http';
${HEAD}
test('left', async () => {
  const server = createServer((_, response) => {
    response.write('begun');
    setTimeout(() => response.end(', whole'), 700);
  });
  await once(server.listen(0), 'listening');
  const [response] = await once(get({ port: server.address().port }), 'response');
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response) {
    text += part;
    if (text.startsWith('begun')) break;
  }
  server.closeAllConnections();
  server.close();
  assert.equal(text, 'begun');
});
`;

test('a time that is naturally never over takes an incident, and shares nothing', async (t) => {
  const cwd = project(t, { 'a.test.js': LEFT });
  const { code, out } = await analysed(cwd);
  assert.deepEqual(classes(cwd), { left: 'timing' });
  assert.equal(code, 0);
  assert.match(
    out,
    /`setTimeout 700 ms` \(a\.test\.js:\d+\) is over\s+before [^;]*;\s+naturally it never is/,
  );
});

const DEBOUNCE = `export function debounce(fn, ms = 30) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => fn(...args), ms);
  };
}
export const within = (work, ms) => {
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error('late')), ms));
  return Promise.race([work, late]);
};
`;

test('fixed times of which the test relies on the shorter one, a few ms apart, are among them', async (t) => {
  const given = `async () => {
    const done = [];
    const work = new Promise((end) => setTimeout(() => end(done.push('work')), 15));
    await within(work, 10).catch(() => {});
    assert.deepEqual(done, []);
  }`;
  const debounced = `async () => {
    const calls = [];
    const call = debounce((x) => calls.push(x));
    call(1);
    await sleep(5);
    call(2);
    await sleep(300);
    assert.deepEqual(calls, [2]);
  }`;
  const test = `import { debounce, within } from './debounce.js';\n${file({ debounced, given })}`;
  const cwd = project(t, { 'a.test.js': test, 'debounce.js': DEBOUNCE });
  const { code } = await analysed(cwd);
  assert.deepEqual(classes(cwd), { debounced: 'timing', given: 'timing' });
  assert.equal(code, 0);
});

test('near them: what goes on behind the sleep acts, or the order fails in between only', async (t) => {
  const some = part(RACES);
  const cwd = project(t, { 'a.test.js': file(some) });
  const { code, out } = await analysed(cwd);
  assert.deepEqual(classes(cwd), each(some, 'race'));
  assert.equal(code, 1);
  assert.match(out, /this step of \d+ ms takes \d+ ms: `setTimeout/);
});

test('times that the file of the test does not set are those of what it tests', async (t) => {
  const late = 'an answer that comes late overwrites a newer one';
  const body = `async () => {
    await Promise.all(['ab', 'a'].map((what) => new Promise((done) => search(what, done))));
    assert.deepEqual(shown, ['ab']);
  }`;
  const test = `import { search, shown } from './search.js';\n${file({ [late]: body })}`;
  const cwd = project(t, { 'a.test.js': test, 'search.js': SEARCH });
  await analysed(cwd);
  assert.deepEqual(classes(cwd), { [late]: 'race' });
});

/** A token and its day, changed with an answer between; whoever reads both meanwhile has them torn. */
const VAULT = `import { stat } from 'node:fs/promises';
export class Vault {
  day = 1;
  token = 'tok-1';
  async rotate(day) {
    this.day = day;
    await stat('.');
    this.token = 'tok-' + day;
  }
  header() {
    return this.day + ' ' + this.token;
  }
}
`;

test('an operation behind a sleep that finds two variables as they never should be is a race', async (t) => {
  const torn = 'a header has the token of its day';
  const body = `async () => {
    const vault = new Vault();
    const [, header] = await Promise.all([vault.rotate(7), sleep(60).then(() => vault.header())]);
    assert.equal(header, '7 tok-7');
  }`;
  const waiting = 'the test itself waits too little';
  const own = `async () => {
    const vault = new Vault();
    const rotated = vault.rotate(7);
    await sleep(60);
    assert.equal(vault.header(), '7 tok-7');
    await rotated;
  }`;
  const test = `import { Vault } from './vault.js';\n${file({ [torn]: body, [waiting]: own })}`;
  const cwd = project(t, { 'a.test.js': test, 'vault.js': VAULT });
  await analysed(cwd);
  assert.deepEqual(classes(cwd), { [torn]: 'race', [waiting]: 'timing' });
});

/** Code under test that is given a time, or has one of its own. */
const BUFFER = `export function buffered(write, intervalMs = 250) {
  const lines = [];
  let timer = null;
  const flush = () => { timer = null; write(lines.splice(0).join('')); };
  return (line) => { lines.push(line); timer ??= setTimeout(flush, intervalMs); };
}
export function heartbeat({ intervalMs, timeoutMs }, lost) {
  const timer = setTimeout(() => lost('peer'), intervalMs + timeoutMs);
  return { stop: () => clearTimeout(timer) };
}
/** What is held by one who is slow goes to the next one. */
export class Lease {
  holders = 0;
  total = 0;
  #free = Promise.resolve();
  constructor(ms) { this.ms = ms; }
  async add(n, work) {
    const before = this.#free;
    let free;
    this.#free = new Promise((done) => { free = done; });
    await before;
    const timer = setTimeout(free, this.ms);
    const seen = this.total;
    await work();
    this.total = seen + n;
    clearTimeout(timer);
    free();
  }
}
`;
const nothingYet = (call: string): string => `async () => {
    const out = [];
    const log = ${call};
    log('a');
    await readFile('package.json');
    assert.deepEqual(out, []);
  }`;

test('a time that the test gives is over too soon as its own is, but not where it cuts an operation', async (t) => {
  const cases = {
    'a time that the test gives': nothingYet('buffered((text) => out.push(text), 200)'),
    'a time that the test gives, beside connections that close': `async () => {
    const out = [];
    const log = buffered((text) => out.push(text), 1000);
    const serve = (asked, answer) => { answer.end('x'); log(asked.url); };
    const ask = (path) => new Promise((done) => {
      const server = createServer(serve).listen(0, () => {
        get({ port: server.address().port, path }, (got) => {
          got.resume().on('end', () => server.close(done));
        });
      });
    });
    await ask('/a');
    await ask('/b');
    assert.deepEqual(out, []);
  }`,
    'a time that is the sum of two that the test gives': `async () => {
    const told = [];
    const pings = heartbeat({ intervalMs: 30, timeoutMs: 90 }, (what) => told.push(what));
    await readFile('package.json');
    pings.stop();
    assert.deepEqual(told, []);
  }`,
    'a short time that the test gives, of which nothing is kept': `async () => {
    const lost = new EventEmitter();
    const ends = [once(lost, 'lost'), once(lost, 'answered')];
    const pings = heartbeat({ intervalMs: 5, timeoutMs: 10 }, () => lost.emit('lost', 'lost'));
    readFile('package.json').then(() => lost.emit('answered', 'answered'));
    const [[end]] = [await Promise.race(ends)];
    pings.stop();
    assert.equal(end, 'answered');
  }`,
    'a time of the code': nothingYet('buffered((text) => out.push(text))'),
    'a time that is given, and over within an operation': `async () => {
    const lease = new Lease(200);
    const work = () => readFile('package.json');
    await Promise.all([lease.add(1, work), lease.add(2, work)]);
    assert.equal(lease.total, 3);
  }`,
  };
  const test = `import { createServer, get } from 'node:http';
import { EventEmitter, once } from 'node:events';
import { buffered, heartbeat, Lease } from './buffer.js';\n${file(cases)}`;
  const cwd = project(t, { 'a.test.js': test, 'buffer.js': BUFFER });
  const { out } = await analysed(cwd);
  const names = Object.keys(cases);
  const expected = names.map((name, i) => [name, i < names.length - 2 ? 'timing' : 'race']);
  assert.deepEqual(classes(cwd), Object.fromEntries(expected));
  assert.match(out, /`setTimeout 200 ms` \(buffer\.js:\d+\), a time that the test gives, is over\s+before `/);
});

/** What is the matter with these is in the code under test, whoever sets the time that shows it. */
const POOL = `import { EventEmitter, on, once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { appendFile, open, readFile, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
export class Pool {
  free = 2;
  late = 0;
  #timer;
  run(work, ms) {
    this.free -= 1;
    const timedOut = new Promise((_, reject) => {
      this.#timer = setTimeout(() => { this.free += 1; reject(new Error('late')); }, ms);
    });
    return Promise.race([timedOut, work().finally(() => { clearTimeout(this.#timer); this.free += 1; })]);
  }
  runOnce(work, ms) {
    let isOver = false;
    this.free -= 1;
    const over = () => { if (!isOver) this.free += 1; isOver = true; };
    const timedOut = new Promise((_, reject) => {
      this.#timer = setTimeout(() => { this.late += 1; over(); reject(new Error('late')); }, ms);
    });
    return Promise.race([timedOut, work().finally(() => { clearTimeout(this.#timer); over(); })]);
  }
  lend(ms) {
    this.free -= 1;
    this.#timer = setTimeout(() => { this.free += 1; }, ms);
  }
  giveBack() {
    clearTimeout(this.#timer);
    this.free += 1;
  }
}
export class Client {
  async ask(work) {
    for (let i = 0; i < 2; i++) {
      const answer = await Promise.race([work(), sleep(60, null)]);
      if (answer !== null) return answer;
    }
    throw new Error('no answer');
  }
  async size(work) {
    let answer;
    await Promise.race([work().then((text) => { answer = text; }), sleep(60)]);
    return answer.length;
  }
}
export class Crawler extends EventEmitter {
  start() {
    let left = 2;
    // At one place, and no rounds: the second is set before the first is over.
    for (const [nth, page] of ['a', 'b'].entries())
      sleep(40 + 30 * nth).then(() => {
        this.emit('page', page);
        if (--left === 0) this.emit('end');
      });
  }
  async pages() {
    const pages = [];
    this.start();
    await readFile('package.json');
    for await (const [page] of on(this, 'page', { close: ['end'] })) pages.push(page);
    return pages;
  }
}
export class Export {
  rows = 0;
  #out = createWriteStream('export');
  async add() {
    const row = await readFile('package.json', 'utf8');
    this.#out.write(row);
    this.rows += 1;
  }
  async finish() {
    this.#out.end();
    await finished(this.#out);
  }
}
const inTime = (work, ms) => {
  const over = AbortSignal.timeout(ms);
  const late = new Promise((_, fail) => over.addEventListener('abort', () => fail(over.reason)));
  return Promise.race([work, late]);
};
export class Outbox {
  #ready = new EventEmitter();
  async #append(line) {
    await readFile('package.json');
    await appendFile('sent', line);
  }
  async post(line) {
    await inTime(this.#append(line), 100).catch(() => inTime(this.#append(line), 100));
  }
  async open() {
    for (let part = 0; part < 3; part++) await stat('package.json');
    this.#ready.emit('ready');
  }
  async opened() {
    await stat('package.json');
    await inTime(once(this.#ready, 'ready'), 1000);
  }
}
export class Journal {
  #file;
  async open() {
    this.#file = await open('journal', 'w');
  }
  async add() {
    const row = await readFile('package.json', 'utf8');
    await this.#file.appendFile(row);
  }
  async finish() {
    await this.#file.close();
  }
}
`;

test('what a time lets run into each other in the code under test is a race, and its test is none', async (t) => {
  const works = `let work;
    const reads = () => (work = readFile('package.json', 'utf8'));
    const pool = new Pool();`;
  const races = {
    'a time-out beside a late success': `async () => {
    ${works}
    await pool.run(reads, 50).catch((error) => assert.equal(error.message, 'late'));
    await work.then(() => new Promise(setImmediate));
    assert.equal(pool.free, 2);
  }`,
    'what is given back after its time': `async () => {
    ${works}
    pool.lend(50);
    await reads();
    pool.giveBack();
    assert.equal(pool.free, 2);
  }`,
    'what its own time leaves undone, and the code under test does not look': `async () => {
    ${works}
    assert.equal(typeof (await new Client().size(reads)), 'number');
  }`,
    'an event of the code under test that nobody hears yet': `async () => {
    assert.deepEqual(await new Crawler().pages(), ['a', 'b']);
  }`,
    'an end that overtakes what had begun': `async () => {
    const rows = new Export();
    const added = rows.add();
    await sleep(40);
    await rows.finish();
    await added;
    assert.notEqual(await readFile('export', 'utf8'), '');
  }`,
    'an end at which what had begun fails': `async () => {
    const rows = new Journal();
    await rows.open();
    const added = rows.add();
    await sleep(40);
    await rows.finish();
    await added;
  }`,
    'what nobody heard, and is waited for until a time is over': `async () => {
    const box = new Outbox();
    await Promise.all([box.opened(), box.open()]);
  }`,
  };
  const timing = {
    'a time-out that the test does not put up with': `async () => {
    ${works}
    assert.notEqual(await pool.run(reads, 50), '');
  }`,
    'a time of its own that the code under test tells of': `async () => {
    ${works}
    assert.equal(typeof (await new Client().ask(reads)), 'string');
  }`,
    'a time-out after which a late success changes nothing': `async () => {
    ${works}
    await pool.runOnce(reads, 50).catch((error) => assert.equal(error.message, 'late'));
    await work.then(() => new Promise(setImmediate));
    assert.deepEqual([pool.free, pool.late], [2, 0]);
  }`,
    'a sleep, then a look at what had begun': `async () => {
    const rows = new Export();
    const added = rows.add();
    await sleep(40);
    assert.equal(rows.rows, 1);
    await added;
    await rows.finish();
  }`,
    'a time-out that is told, and lines that change places beside it': `async () => {
    const box = new Outbox();
    await Promise.all([box.post('a'), box.post('b')]);
  }`,
    'a sleep that alone waits for what had begun': `async () => {
    const rows = new Journal();
    await rows.open();
    rows.add();
    await sleep(40);
    await rows.finish();
  }`,
  };
  const some = { races: part(races), timing: part(timing) };
  const all = { ...some.races, ...some.timing };
  const test = `import { Client, Crawler, Export, Journal, Outbox, Pool } from './pool.js';\n${file(all)}`;
  const cwd = project(t, { 'a.test.js': test, 'pool.js': POOL });
  const { code, out } = await analysed(cwd);
  assert.deepEqual(classes(cwd), { ...each(some.races, 'race'), ...each(some.timing, 'timing') });
  assert.equal(code, 1);
  assert.match(out, /changes `Pool#free` as its time is over, and `\w+` changes it again/);
  assert.match(out, /`Export\.finish` ends `Export#out` before `Export\.add` goes on with it/);
});

test('--fail-on timing, also in the configuration, counts them', async (t) => {
  const [name = '', body = ''] = Object.entries(TIMING)[0] ?? [];
  const cwd = project(t, { 'a.test.js': file({ [name]: body }) });
  assert.equal((await analysed(cwd, '--fail-on', 'timing')).code, 1);
  // What was found is told again, as the options say by then.
  const told = async (): Promise<number | null> => (await run(cwd, ['report'])).code;
  assert.equal(await told(), 0);
  writeFileSync(join(cwd, 'unweave.config.json'), '{ "failOn": ["timing"] }');
  assert.equal(await told(), 1);
  const wrong = await analysed(cwd, '--fail-on', 'weather');
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /expected race, timing, conditional/);
});
