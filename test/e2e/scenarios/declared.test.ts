/** Operations that are declared one by one are overlapped, judged by their serial orders, and reported like any other bug. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, project, readReport, run } from '../batch/command.ts';

const HEAD = `import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scenario } from '${API}';
`;

/** A counter in a file; `body` adds to it. */
const counter = (body: string): string => `${HEAD}
class Counter {
  last = Promise.resolve();
  constructor(file) { this.file = file; }
  async read() { return Number(await readFile(this.file, 'utf8')); }
  async add(n) { ${body} }
  async raise(n) { await writeFile(this.file, String((await this.read()) + n)); }
}
scenario({
  name: 'counter',
  scenarios: 4,
  async setup({ dir }) {
    const file = join(dir, 'n');
    await writeFile(file, '0');
    return new Counter(file);
  },
  operations: {
    add: { run: (counter, n) => counter.add(n), args: [[1], [2]] },
    read: { run: (counter) => counter.read(), reads: true, alone: 'readers' },
  },
});
`;

const JSON_FILE = ['--json', 'out.json'];
/** One finding is confirmed twice, each time in the other order; of the others it matters what is told of them. */
const TWICE = [...JSON_FILE, '--confirm', '2'];
const LIMITS = [...JSON_FILE, '--confirm', '1', '--max-schedules', '12'];

test('a lost update is found from operations alone, and replayed; one finding is enough', async (t) => {
  const cwd = project(t, { 'counter.js': counter('await this.raise(n);') });
  const { code, out, err } = await run(cwd, ['run', ...TWICE, 'counter.js']);
  assert.equal(code, 1, out + err);
  const report = readReport(cwd);
  const add = report.bugs.filter(({ test }) => test.includes('add(1) ∥ add(1)'));
  assert.equal(add.length, 1, out);
  const [bug] = add;
  assert.deepEqual([bug?.class, bug?.reproduced, bug?.control], ['race', '2/2', '2/2']);
  assert.match(out, /NotSerializable: no serial order of these 2 operations gives this outcome/);
  assert.match(out, /this run +then \{ read\(\): 1 \}/);
  assert.match(out, /add\(1\) < add\(1\) +then \{ read\(\): 2 \}/);
  assert.match(out, /in each of them +add\(1\) ends; add\(1\) ends/);
  assert.match(out, /\d+ more scenarios of these operations not forced: one finding is enough/);
  assert.equal(new Set(report.bugs.map(({ test }) => test)).size, report.bugs.length);
  const again = await run(cwd, ['replay', bug!.id]);
  assert.equal(again.code, 1, again.out + again.err);
  assert.match(again.out, /no serial order/);
});

test('its repaired twin is silent', async (t) => {
  const queued =
    'const mine = this.last.then(() => this.raise(n)); this.last = mine.catch(() => {}); await mine;';
  const safe = counter(queued).replace("reads: true, alone: 'readers'", 'reads: true');
  // Reads in between see a file that is being written.
  const cwd = project(t, {
    'counter.js': safe.replace('counter.read()', 'counter.last.then(() => counter.read())'),
  });
  const { code, out, err } = await run(cwd, ['run', ...LIMITS, 'counter.js']);
  assert.equal(code, 0, out + err);
  assert.deepEqual(readReport(cwd).bugs, []);
  assert.match(out, /^every feasible order of \d+ scenarios? has a serial outcome$/m);
});

test('what the user allows is no finding, and is told with his reason', async (t) => {
  const allow = "allow: () => 'the last one wins',";
  const text = counter('await this.raise(n);').replace("name: 'counter',", `name: 'counter', ${allow}`);
  const cwd = project(t, { 'counter.js': text });
  const { code, out, err } = await run(cwd, ['run', ...LIMITS, 'counter.js']);
  assert.equal(code, 0, out + err);
  assert.match(out, /allowed \d+ times?: the last one wins/);
});

const MEMORY = `${HEAD}
scenario({
  name: 'names',
  setup: () => ({ made: 0, names: new Map() }),
  operations: {
    async: {
      async run(it, name) {
        if (it.names.has(name)) return 'known';
        const made = await Promise.resolve().then(() => ++it.made);
        it.names.set(name, made);
        return 'made';
      },
      args: [['a'], ['b']],
    },
  },
  observe: ({ made }) => made,
});
`;

test('what no answer of the host lies between is found where both begin in one turn', async (t) => {
  const cwd = project(t, { 'names.js': MEMORY });
  const { code, out, err } = await run(cwd, ['run', ...LIMITS, '--witness', '1', 'names.js']);
  assert.equal(code, 1, out + err);
  const [bug, ...others] = readReport(cwd).bugs;
  assert.deepEqual(others, []);
  assert.deepEqual([bug?.class, bug?.control, bug?.witness], ['race', '1/1', '1/1']);
  assert.match(out, /passes where its calls come one behind the other/);
});

const BATCHED = `${HEAD}
class Log {
  queue = [];
  written = [];
  log(line) {
    this.timer ??= setInterval(() => this.flush(), 20).unref();
    return new Promise((done) => this.queue.push({ line, done }));
  }
  flush() {
    for (const { line, done } of this.queue.splice(0)) {
      this.written.push(line);
      done();
    }
  }
}
scenario({
  name: 'batches',
  setup: () => new Log(),
  operations: { log: { run: (it, line) => it.log(line), args: [['a'], ['b']] } },
  observe: ({ written }) => written,
  scenarios: 2,
});
`;

test('who waits for an interval that keeps nothing alive is not stuck: components live in processes that last', async (t) => {
  const cwd = project(t, { 'batches.js': BATCHED });
  const { code, out, err } = await run(cwd, ['run', ...LIMITS, 'batches.js']);
  assert.equal(code, 0, out + err);
});

const MAILBOX = `import { stat } from 'node:fs/promises';
import { scenario } from '${API}';
class Mailbox {
  letter = null;
  async take() {
    await stat('.');
    if (this.letter !== null) return this.letter;
    await stat('.');
    return new Promise((resolve) => { this.arrived = resolve; });
  }
  async put(letter) { await stat('.'); this.letter = letter; this.arrived?.(letter); }
}
scenario({
  name: 'mailbox',
  setup: () => new Mailbox(),
  operations: {
    take: { run: (box) => box.take(), alone: 'takers' },
    put: { run: (box, letter) => box.put(letter), args: [['a']], alone: 'writers' },
  },
  observe: (box) => box.letter,
});
`;

test('a call that waits is served in each serial order, and for ever where its wake-up is missed', async (t) => {
  const cwd = project(t, { 'mailbox.js': MAILBOX });
  const { code, out, err } = await run(cwd, ['run', ...LIMITS, 'mailbox.js']);
  assert.equal(code, 1, out + err);
  const { bugs, tests } = readReport(cwd);
  assert.deepEqual(
    bugs.map(({ kind, test }) => [kind, test]),
    [['deadlock', 'mailbox.js:mailbox: take() ∥ put("a")']],
  );
  assert.deepEqual(
    tests.map(({ baseline }) => baseline),
    ['passed'],
  );
});

const ROTATED = `import { stat } from 'node:fs/promises';
import { scenario } from '${API}';
class Log {
  isWriting = false;
  isPutOff = false;
  isClosed = false;
  async write() {
    this.isWriting = true;
    await stat('.');
    await stat('.');
    this.isWriting = this.isPutOff = false;
  }
  async rotate() { await stat('.'); if (this.isWriting) this.isPutOff = true; }
  end() { if (!this.isPutOff) this.isClosed = true; }
}
scenario({
  name: 'log',
  setup: () => new Log(),
  operations: {
    write: { run: (log) => log.write(), alone: 'writers' },
    rotate: { run: (log) => log.rotate(), alone: 'rotate' },
    end: { run: (log) => log.end(), last: true },
  },
  observe: (log) => log.isClosed,
});
`;

test('what one call leaves to the next of its task, while a third is under way, is found and replayed', async (t) => {
  const cwd = project(t, { 'log.js': ROTATED });
  const { code, out, err } = await run(cwd, ['run', ...LIMITS, 'log.js']);
  assert.equal(code, 1, out + err);
  const { bugs } = readReport(cwd);
  assert.deepEqual(
    bugs.map(({ test, control }) => [test, control]),
    [['log.js:log: write() ∥ (rotate(); end())', '1/1']],
  );
  assert.match(out, /this run +then false\n +write\(\) < rotate\(\) < end\(\) +then true/);
  assert.match(out, /1 more scenario of these operations not forced: one finding is enough/);
  const again = await run(cwd, ['replay', bugs[0]!.id]);
  assert.equal(again.code, 1, again.out + again.err);
});

const WRONG: readonly (readonly [string, string, RegExp])[] = [
  [
    'fails by itself',
    "{ run() { setTimeout(() => { throw new Error('late'); }, 1); } }",
    /its operations fail one after the other,\s+too: Error: late/,
  ],
  [
    'ends now so, now so',
    '{ async run(it) { await readFile(import.meta.filename); if (it.isOdd) throw new Error(); } }',
    /unstable: one and the same serial order\s+ends now in one way, now in another/,
  ],
];

for (const [what, operation, said] of WRONG)
  test(`an operation that ${what} is told as not analysed`, async (t) => {
    const cwd = project(t, {
      'wrong.js': `${HEAD}scenario({ name: 'wrong', setup: () => ({ isOdd: (globalThis.odd = !globalThis.odd) }), operations: { go: ${operation} }, scenarios: 1 });`,
    });
    const { code, out, err } = await run(cwd, ['run', ...LIMITS, 'wrong.js']);
    assert.equal(code, 3, out + err);
    assert.match(out, said);
  });

test('bad specifications are told in one line', async (t) => {
  const cwd = project(t, {
    'a.js': `${HEAD}scenario({ name: 'a', setup: () => ({}) });`,
    'b.js': `${HEAD}scenario({ name: 'b', setup: () => ({}), operations: { go: { run() {}, args: { generate() {} } } } });`,
  });
  const a = await run(cwd, ['run', 'a.js']);
  assert.equal(a.code, 3, a.out + a.err);
  assert.match(a.err, /^unweave: a\.js.*scenario 'a': no operations; `operations` must name at least one\n$/);
  const b = await run(cwd, ['run', 'b.js']);
  assert.equal(b.code, 3, b.out + b.err);
  assert.match(
    b.err,
    /^unweave: .*scenario b, operation 'go': its arguments are an arbitrary, and fast-check is not/,
  );
});
