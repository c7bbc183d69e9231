/** Lock adapters of the user: a home-made lock is a lock to the predictor, in every kind of process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCalm, assertOneLine, harnessSource, project, readReport, run } from './support.ts';

const MUTEX = `export class Mutex {
  #waiting = [];
  #held = false;
  async lock() {
    if (this.#held) await new Promise((grant) => this.#waiting.push(grant));
    this.#held = true;
  }
  unlock() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#held = false;
  }
}
`;

/** The same as functions, behind a module that others require. */
const EXCLUSIVE = `let last = Promise.resolve();
exports.exclusive = (fn) => (last = last.then(fn, fn));
`;

const BANK = `import { readFile } from 'node:fs/promises';
import { Mutex } from './mutex.js';
export class Bank {
  mutex = new Mutex();
  balance = 0;
  async deposit(n) {
    await this.mutex.lock();
    const before = this.balance;
    await readFile('package.json');
    this.balance = before + n;
    this.mutex.unlock();
  }
}
`;
const FORGETFUL = BANK.replace('await this.mutex.lock();', '').replace('this.mutex.unlock();', '');

const bankTest = (file: string) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bank } from '../src/${file}.js';
test('deposits', async () => {
  const bank = new Bank();
  await Promise.all([bank.deposit(1), sleep(20).then(() => bank.deposit(2))]);
  assert.equal(bank.balance, 3);
});
`;

const ADAPTER = `import { released, waitFor } from 'unweave/locks';
export default {
  module: '../src/mutex.js',
  adopt({ Mutex }) {
    const { lock, unlock } = Mutex.prototype;
    Mutex.prototype.lock = function () {
      const granted = lock.call(this);
      waitFor(this, 'Mutex', granted);
      return granted;
    };
    Mutex.prototype.unlock = function () {
      released(this, 'Mutex');
      unlock.call(this);
    };
  },
};
`;

const FILES = {
  'src/mutex.js': MUTEX,
  'src/bank.js': BANK,
  'src/forgetful.js': FORGETFUL,
  'test/bank.test.js': bankTest('bank'),
  'test/forgetful.test.js': bankTest('forgetful'),
  'unweave/mutex.js': ADAPTER,
};
const CONFIG = { 'unweave.config.json': '{ "locks": ["./unweave/mutex.js"] }' };
const RUN = ['run', '--max-schedules', '5', '--confirm', '1', '--json', 'out.json', '--', 'node', '--test'];

interface CutPoints {
  readonly cutPoints: readonly { readonly cutPoint: { readonly entity: string } }[];
}

async function entities(cwd: string): Promise<string[]> {
  const { out } = await run(cwd, ['inspect', '--json', '-']);
  return (JSON.parse(out) as CutPoints).cutPoints.map(({ cutPoint }) => cutPoint.entity);
}

test('a home-made lock: with its adapter, what it guards is predicted no more, and the report names it', async (t) => {
  const cwd = project(t, FILES);
  const command = [...RUN, 'test/bank.test.js'];
  const without = await run(cwd, command);
  assert.equal(without.code, 0, without.out);
  assert.ok((await entities(cwd)).includes('Bank#balance'), 'nothing says that the balance is guarded');
  const other = project(t, { ...FILES, ...CONFIG });
  const taught = await run(other, command);
  assert.equal(taught.code, 0, taught.out);
  assertCalm(taught);
  assert.match(taught.out, /both\s+hold\s+Mutex@src\/bank\.js:7/);
  assert.ok(!(await entities(other)).includes('Bank#balance'));
});

test('where the lock is forgotten, the bug is confirmed with the adapter as well', async (t) => {
  const cwd = project(t, { ...FILES, ...CONFIG });
  const ended = await run(cwd, [...RUN, 'test/forgetful.test.js']);
  assert.equal(ended.code, 1, ended.out);
  assert.deepEqual(
    readReport(cwd).bugs.map(({ entity }) => entity),
    ['Bank#balance'],
  );
});

test('a function of a CommonJS file, replaced, in warm workers of a harness', async (t) => {
  const adapter = `const { guarded } = await import('unweave/locks');
const gate = {};
export default [{
  module: '../src/exclusive.cjs',
  adopt: ({ exclusive }) => ({ exclusive: (fn) => exclusive(guarded(gate, 'exclusive', fn)) }),
}];
`;
  const harness = `import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
${harnessSource(`name: 'guarded', setup: () => ({ n: 0 }),
  tasks: { a: add, b: add }, check: (s) => { if (s.n !== 2) throw new Error('lost'); }`)}
function add(s) {
  const { exclusive } = createRequire(import.meta.url)('../src/exclusive.cjs');
  return exclusive(async () => {
    const n = s.n;
    await readFile('package.json');
    s.n = n + 1;
  });
}
`;
  const cwd = project(t, {
    'src/exclusive.cjs': EXCLUSIVE,
    'unweave/exclusive.mjs': adapter,
    'h/guarded.js': harness,
    'unweave.config.json': '{ "locks": ["./unweave/exclusive.mjs"] }',
  });
  const ended = await run(cwd, ['run', '--max-schedules', '5', '--confirm', '1', 'h']);
  assert.equal(ended.code, 0, ended.out);
  assert.match(ended.out, /both\s+hold\s+exclusive@h\/guarded\.js:\d+/);
});

for (const [name, text, line] of [
  ['that is missing', null, /locks: .*none\.js.*no such module/],
  ['that throws', `throw new Error('not today');\n`, /locks: .*none\.js: Error: not today/],
  ['that cannot be parsed', 'const = 1;\n', /locks: .*none\.js: SyntaxError/],
  [
    'that exports something else',
    'export default 7;\n',
    /locks: .*none\.js: its default export is no adapter/,
  ],
] as const)
  test(`an adapter ${name}: one line, exit code 2`, async (t) => {
    const files = { ...FILES, 'unweave.config.json': '{ "locks": ["./none.js"] }' };
    const cwd = project(t, text === null ? files : { ...files, 'none.js': text });
    assertOneLine(await run(cwd, RUN), 2, line);
  });
