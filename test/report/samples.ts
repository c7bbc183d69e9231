/** Hand-made views for the golden reports; small programs that a reader can check against the output. */
import type { Shape } from '../../data/prediction.ts';
import type { Report, ReportBug, ReportCall, ReportTest } from '../../data/report.ts';
import type { SourceReader } from '../../report/sources.ts';
import type { AccessView, BugView, CutPointView, ReportViews, StepRow } from '../../report/view.ts';

const FILES: Record<string, string> = {
  'src/bank.ts': `export class Account {
  balance = 0;
  async deposit(amount: number) {
    const before = this.balance;
    await audit('deposit');
    this.balance = before + amount;
  }
}
`,
  'src/teller.ts': `export async function transfer(from: Account, to: Account, amount: number) {
  await from.withdraw(amount);
  await to.deposit(amount);
}
`,
  'src/cart.ts': `import { open, stat, writeFile } from 'node:fs/promises';
export async function reserve(file: string, who: string) {
  if (await exists(file)) return false;
  await writeFile(file, who);
  return true;
}
export async function report(file: string) {
  const size = (await stat(file)).size;
  const text = await readFile(file, 'utf8');
  return { size, text };
}
`,
};

/** Sources of the samples. */
export const read: SourceReader = (file) => FILES[file] ?? null;

/** The working directory that the samples' stacks are in. */
export const CWD = '/project';

type Spot = Pick<AccessView, 'file' | 'line' | 'column' | 'fn' | 'text'>;
const readBalance: Spot = {
  file: 'src/bank.ts',
  line: 4,
  column: 20,
  fn: 'Account.deposit',
  text: 'this.balance',
};
const writeBalance: Spot = {
  file: 'src/bank.ts',
  line: 6,
  column: 5,
  fn: 'Account.deposit',
  text: 'this.balance',
};

/** An access of the bank. */
export const access = (kind: 'read' | 'write', task: string): AccessView => ({
  ...(kind === 'read' ? readBalance : writeBalance),
  access: kind,
  task,
});

const letter = { R: 'read', W: 'write' } as const;

/** A cut point of a pattern on the bank's balance. */
export function bankCut(pattern: Shape, local = 'alice', remote = 'bob'): CutPointView {
  const [first, between, second] = [...pattern].map((l) => letter[l as 'R' | 'W']) as [
    'read',
    'read',
    'read',
  ];
  return {
    id: 'c1',
    pattern,
    entity: 'Account#balance',
    first: access(first, local),
    remote: access(between, remote),
    second: access(second, local),
  };
}

const report = (spot: AccessView) => ({
  file: spot.file,
  line: spot.line,
  column: spot.column,
  access: spot.access,
  task: spot.task,
  calledFrom: [...(spot.calledFrom ?? [])],
});

/** A bug record for a cut point, or for none. */
export function bugOf(cut: CutPointView | null, more: Partial<ReportBug> = {}): ReportBug {
  return {
    id: 'b7f3a1',
    test: 't1',
    kind: 'assertion',
    class: 'race',
    timing: null,
    latency: null,
    pattern: cut?.pattern ?? null,
    entity: cut?.entity ?? null,
    conditional: null,
    first: cut && report(cut.first),
    remote: cut && report(cut.remote),
    second: cut && report(cut.second),
    collision: null,
    other: cut?.other ? { entity: cut.other.entity, remote: report(cut.other.remote) } : null,
    variants: [],
    packages: [],
    lookedInto: [],
    waits: [],
    wakeUp: null,
    error: 'AssertionError: 100 !== 150',
    reproduced: '3/3',
    against: 'natural',
    control: '3/3',
    witness: null,
    counterfactual: null,
    network: null,
    fix: '1/1',
    requiredStallMs: 0,
    requiredPauseMs: 0,
    likelihood: 'any run',
    switches: 2,
    schedulesUntilFound: 1,
    replay: 'unweave replay b7f3a1',
    ...more,
  };
}

const row = (task: string, what: string, kind: StepRow['kind'], role?: StepRow['role']): StepRow => ({
  task,
  what,
  site: null,
  kind,
  ...(role ? { role } : {}),
});

const aliceReads = row('alice', 'this.balance', 'access', 'first');
const aliceAudit = row('alice', 'fs.appendFile audit.log', 'deliver');
const aliceWrites = row('alice', 'this.balance', 'access', 'second');
const bobReads = row('bob', 'this.balance', 'access');
const bobAudit = row('bob', 'fs.appendFile audit.log', 'deliver');
const bobWrites = row('bob', 'this.balance', 'access', 'remote');

const error = {
  name: 'AssertionError',
  message: 'Expected values to be strictly equal:\n\n100 !== 150\n',
  stack: `AssertionError [ERR_ASSERTION]: Expected values to be strictly equal
    at check (file:///project/test/bank.test.ts:14:10)
    at async TestContext.<anonymous> (file:///project/test/bank.test.ts:9:3)
    at async Test.run (node:internal/test_runner/test:1054:7)`,
};

const view = (cut: CutPointView | null, more: Partial<BugView> = {}): BugView => ({
  bug: bugOf(cut),
  testTitle: 'test/bank.test.ts › two deposits',
  cutPoint: cut,
  natural: [],
  failing: [],
  late: [],
  error,
  ...more,
});

/** Two deposits, each from an old balance. */
export const lostUpdate = view(bankCut('RWW'), {
  natural: [aliceReads, aliceAudit, aliceWrites, bobReads, bobAudit, bobWrites],
  failing: [aliceReads, bobReads, bobAudit, bobWrites, aliceAudit, aliceWrites],
});

const call = (file: string, line: number, column: number, fn: string) => ({
  file,
  line,
  column,
  function: fn,
});
const withCalls = (access: AccessView, ...calledFrom: ReportCall[]): AccessView => ({
  ...access,
  calledFrom,
});

/** The lost update, where the callers are known: the test's own, and one behind a package. */
export const calledFrom = ((cut: CutPointView): BugView => {
  const transfer = call('src/teller.ts', 3, 12, 'transfer');
  const inPackage = [7, 8, 9].map((line) => call('node_modules/retry/index.js', line, 3, 'attempt'));
  const calls = [transfer, call('test/bank.test.ts', 9, 3, 'test@8:1')];
  return view({
    ...cut,
    first: withCalls(cut.first, ...calls),
    remote: withCalls(cut.remote, ...inPackage, inPackage[2]!, transfer),
    // Itself, once more: a recursion says nothing.
    second: withCalls(cut.second, call(cut.second.file, cut.second.line, 1, cut.second.fn), ...calls),
  });
})(bankCut('RWW'));

/** A bug of each other pattern on the bank, without recorded steps. */
export const ofPattern = (pattern: Shape): BugView => view(bankCut(pattern));

const cartSpot = (line: number, column: number, text: string): Spot => ({
  file: 'src/cart.ts',
  line,
  column,
  text,
  fn: line < 7 ? 'reserve' : 'report',
});
const reservation: CutPointView = {
  id: 'c2',
  pattern: 'RWW',
  entity: 'fs:seat.txt',
  first: { ...cartSpot(3, 13, 'exists(file)'), access: 'read', task: 'reserve' },
  remote: { ...cartSpot(4, 9, 'writeFile(file, who)'), access: 'write', task: 'reserve #2' },
  second: { ...cartSpot(4, 9, 'writeFile(file, who)'), access: 'write', task: 'reserve' },
};

const variant = { pattern: 'RWW' as const, first: null, remote: null, second: null };
const noise = (n: number) =>
  Array.from({ length: n }, (_, i) => row('ticker', `setTimeout ${i + 1}`, 'deliver'));

/** Two runs of one function reserve one seat; the order is long, and one answer must be late. */
export const checkThenAct = view(reservation, {
  bug: bugOf(reservation, {
    id: 'b02',
    requiredStallMs: 120,
    requiredPauseMs: 0,
    witness: '9/10',
    counterfactual: {
      step: 'walkIn: fs.readFile seats.json answers',
      now: 'after',
      anchor: 'online: fs.writeFile seats.json answers',
      block: false,
      passed: '3/3',
    },
    fix: '5/7',
    schedulesUntilFound: 4,
    variants: [variant, variant],
    replay: 'unweave replay b02',
  }),
  testTitle: 'harnesses/seat.ts › one seat, two buyers',
  natural: [
    row('reserve', 'fs.stat seat.txt', 'effect', 'first'),
    ...noise(12),
    row('reserve', 'fs.open seat.txt', 'effect', 'second'),
    row('reserve #2', 'fs.open seat.txt', 'effect', 'remote'),
  ],
  failing: [
    row('reserve', 'fs.stat seat.txt', 'effect', 'first'),
    ...noise(12),
    row('reserve #2', 'fs.open seat.txt', 'effect', 'remote'),
    row('reserve', 'fs.open seat.txt', 'effect', 'second'),
  ],
  late: [{ api: 'fs.stat', what: 'seat.txt', ms: 119.2 }],
});

/** Two threads, two mutexes. */
export const deadlock = view(null, {
  threads: true,
  bug: bugOf(null, {
    id: 'b9',
    kind: 'deadlock',
    waits: [
      '`transfer` waits for Mutex@src/bank.ts:2, held by `refund`',
      '`refund` waits for Mutex@src/bank.ts:3, held by `transfer`',
    ],
    error: 'deadlock',
    replay: 'unweave replay b9',
  }),
  failing: [row('transfer', 'fs.readFile a.json', 'deliver'), row('refund', 'fs.readFile b.json', 'deliver')],
  natural: [row('refund', 'fs.readFile b.json', 'deliver'), row('transfer', 'fs.readFile a.json', 'deliver')],
  error: { name: '', message: 'the test never ends', stack: '' },
});

/** Found by random orders, so no cut point is known; rests on a long stall. */
export const conditional = view(null, {
  bug: bugOf(null, {
    id: 'b4',
    kind: 'exception',
    conditional: 'needs a stall of 4000 ms, above the limit of 1000 ms',
    requiredStallMs: 4000,
    requiredPauseMs: 0,
    schedulesUntilFound: 61,
    replay: 'unweave replay b4',
  }),
  foundBy: 'random',
  failing: [row('load', 'setTimeout 4000', 'deliver'), row('load', 'fs.readFile cart.json', 'deliver')],
  natural: [row('load', 'fs.readFile cart.json', 'deliver'), row('load', 'setTimeout 4000', 'deliver')],
  late: [{ api: 'fs.readFile', what: 'cart.json', ms: 4000 }],
});

/** A test record; nothing happened unless said. */
export const testOf = (id: string, more: Partial<ReportTest> = {}): ReportTest => ({
  id,
  file: `test/${id}.test.ts`,
  name: 'case',
  baseline: 'passed',
  coverage: 'analysed',
  analysis: 'complete',
  events: 100,
  tasks: 2,
  sharedEntities: 3,
  orders: null,
  cutPoints: 0,
  schedules: 0,
  left: 0,
  plain: null,
  natural: null,
  peers: [],
  unseen: [],
  ownProcesses: null,
  undecided: null,
  beside: [],
  partOf: null,
  endless: 0,
  ...more,
  verdicts: {
    confirmed: 0,
    passed: 0,
    infeasible: 0,
    diverged: 0,
    deadlock: 0,
    unknown: 0,
    conditional: 0,
    ...more.verdicts,
  },
});

const none = { confirmed: 0, passed: 0, infeasible: 0, diverged: 0, deadlock: 0, unknown: 0, conditional: 0 };

/** A report with one test of every state. */
export const everyState: Report = {
  version: 1,
  tests: [
    testOf('t1', { name: 'two deposits', schedules: 13, verdicts: { ...none, confirmed: 1, passed: 12 } }),
    testOf('locked', { schedules: 5, verdicts: { ...none, passed: 2, infeasible: 3 } }),
    testOf('quiet'),
    testOf('alone', { coverage: 'no-concurrency', tasks: 1 }),
    testOf('blind', { coverage: 'blind', tasks: 4 }),
    testOf('red', { baseline: 'red' }),
    testOf('flaky', { baseline: 'flaky' }),
    testOf('slow', {
      schedules: 237,
      analysis: 'partly',
      left: 37,
      orders: { count: 25_870, all: false },
      verdicts: { ...none, passed: 199, unknown: 1 },
    }),
    testOf('hung', { schedules: 41, analysis: 'none', verdicts: { ...none, unknown: 41 } }),
    testOf('apart', { baseline: 'red', coverage: null, analysis: 'none' }),
    testOf('guest', { peers: ['127.0.0.1:5432'], analysis: 'none' }),
    ...['one', 'two', 'three'].map((name) =>
      testOf(`many/${name}`, { file: 'test/many.test.ts', name, coverage: 'no-concurrency' }),
    ),
    ...['four', 'five'].map((name) =>
      testOf(`mixed/${name}`, {
        file: 'test/mixed.test.ts',
        name,
        schedules: 21,
        orders: { count: 4, all: name === 'four' },
        verdicts: { ...none, passed: 20, infeasible: 1 },
      }),
    ),
    testOf('mixed/six', { file: 'test/mixed.test.ts', name: 'six', orders: { count: 1, all: true } }),
    ...['a', 'b', 'c', 'd', 'e'].map((name) =>
      testOf(`reds/${name}`, { file: 'test/reds.test.ts', name, baseline: 'red' }),
    ),
    testOf('stall', { schedules: 2, verdicts: { ...none, conditional: 1, passed: 1 } }),
  ],
  bugs: [lostUpdate.bug, { ...conditional.bug, test: 'stall' }],
  timing: { monitorMs: 300, predictMs: 40, rescheduleMs: 2260 },
};

/** Notes for {@link everyState}. */
export const everyStateViews: ReportViews = {
  bugs: [conditional, lostUpdate],
  tests: {
    locked: {
      silence: {
        pairs: 14,
        left: 0,
        reasons: [
          { reason: 'one cannot begin before the other is over', count: 5 },
          { reason: 'both hold Mutex@src/bank.ts:3', count: 9 },
        ],
      },
    },
    quiet: { silence: { pairs: 0, left: 0, reasons: [] } },
    red: { reason: 'AssertionError: 1 !== 2', plain: null },
    slow: {
      silence: { pairs: 80, left: 0, reasons: [] },
      budget: { left: 37, limit: '200 schedules' },
      unknown: 'Timeout: no end within the real time allowed',
      ungated: { 'net.connect': 3 },
      saturated: 2,
      unseen: ['packages/a/index.js', 'packages/b/index.js'],
    },
    hung: { unknown: "Error: Cannot find module 'x'" },
    apart: {
      reason: 'Error: connect ECONNREFUSED',
      plain: { outcome: 'pass', cause: 'it waits for a peer in another process, which is not controlled' },
    },
    guest: { peers: ['127.0.0.1:5432'] },
    'mixed/four': { silence: { pairs: 3, left: 0, reasons: [{ reason: 'both hold L', count: 2 }] } },
    'mixed/five': {
      silence: { pairs: 5, left: 0, reasons: [{ reason: 'both hold L', count: 1 }] },
      ungated: { Worker: 1 },
      restless: 1,
      slow: 1,
      stoodFor: 3,
      strangers: 2,
    },
    ...Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [
        `reds/${name}`,
        { reason: 'TypeError: o.c is no constructor' },
      ]),
    ),
  },
};
