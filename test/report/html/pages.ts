/** Pages to look at and to open in a browser, of stored views alone. */
import { countingLists } from '../../../data/fail-on.ts';
import type { CutPoint } from '../../../data/prediction.ts';
import type { ReportBug } from '../../../data/report.ts';
import { EventKind, type Trace } from '../../../data/trace.ts';
import { toldFindings } from '../../../report/finding.ts';
import { NOTHING_HIDDEN } from '../../../report/hidden.ts';
import { htmlPage } from '../../../report/html/page.ts';
import { plainValue } from '../../../report/plain.ts';
import type { Findings } from '../../../report/reporter-api.ts';
import { timelineOf } from '../../../report/rows.ts';
import type { BugView } from '../../../report/view.ts';
import { hostileReport, hostileViews } from '../formats/hostile.ts';
import {
  bankCut,
  CWD,
  calledFrom,
  checkThenAct,
  conditional,
  deadlock,
  everyState,
  everyStateViews,
  lostUpdate,
  read,
  testOf,
} from '../samples.ts';

export function pageOf({ report, views, hidden }: Findings): string {
  const plain = { report: plainValue(report), views: plainValue(views), hidden };
  const context = { read, cwd: CWD, version: '0.0.0' };
  return [...htmlPage(plain, toldFindings(plain, countingLists([]), read), context)].join('');
}

const at = (line: number) => ({ file: 'src/bank.ts', line, column: 5 });
/** The lost update as it is recorded: with requests, and a lock that does not help. */
const recorded: BugView = {
  ...lostUpdate,
  timeline: {
    rows: lostUpdate.failing.map((row, index) => ({ ...row, at: index, site: at(4) })),
    total: lostUpdate.failing.length,
    requests: [
      { task: 'alice', issued: 0, effect: null, delivered: 4 },
      { task: 'bob', issued: 1, effect: null, delivered: 2 },
    ],
    locks: [{ task: 'bob', name: 'Mutex@src/bank.ts:2', from: 1, to: 3 }],
  },
  failing: lostUpdate.failing.map((row, index) => ({ ...row, at: index })),
  cutPoint: calledFrom.cutPoint,
  bug: {
    ...lostUpdate.bug,
    first: calledFrom.cutPoint && {
      ...lostUpdate.bug.first!,
      calledFrom: [...calledFrom.cutPoint.first.calledFrom!],
    },
    witness: '9/10',
    fix: '7/7',
    counterfactual: {
      step: 'alice: fs.appendFile audit.log answers',
      now: 'before',
      anchor: 'bob: fs.appendFile audit.log answers',
      block: false,
      passed: '3/3',
    },
  },
};
const timing: BugView = {
  ...checkThenAct,
  bug: {
    ...checkThenAct.bug,
    id: 'b77',
    class: 'timing',
    timing: { rule: 'sleep', timer: 'setTimeout 30', at: at(6), overtaken: 'fs.writeFile log.txt answers' },
  },
};

export const everything: Findings = {
  report: {
    ...everyState,
    bugs: [recorded, deadlock, checkThenAct, timing, conditional].map(({ bug }) => bug),
  },
  views: {
    ...everyStateViews,
    bugs: [recorded, deadlock, checkThenAct, timing, conditional],
    suite: {
      predictions: [
        {
          ...{
            id: 'c1',
            kind: 'RWW',
            test: 't1',
            entity: 'Account#balance',
            verdict: 'confirmed',
            why: 'read-then-write',
          },
          places: [{ task: 'alice', what: 'reads', at: 'src/bank.ts:4:20' }],
        },
        {
          ...{
            id: 's9',
            kind: 'time-out',
            test: 'locked',
            entity: null,
            verdict: null,
            why: 'this timer was set and cleared',
          },
          places: [{ task: 'bob', what: 'setTimeout 100 ms fires', at: 'src/cart.ts:7' }],
        },
      ],
      morePredictions: 3,
      files: ['src/bank.ts', 'src/cart.ts'],
      entities: [
        {
          name: 'Account#balance',
          tests: [{ test: 't1', tasks: ['alice', 'bob'], reads: 2, writes: 2, locks: [] }],
        },
        {
          name: 'Cart#items',
          tests: [
            { test: 'locked', tasks: ['add', 'add #2'], reads: 9, writes: 4, locks: ['Mutex@src/cart.ts:3'] },
          ],
        },
      ],
      moreEntities: 0,
    },
  },
  hidden: NOTHING_HIDDEN,
};

export const hostile: Findings = { report: hostileReport, views: hostileViews, hidden: NOTHING_HIDDEN };

export const clean: Findings = {
  report: { ...everyState, tests: [testOf('quiet')], bugs: [] },
  views: { bugs: [], tests: {} },
  hidden: NOTHING_HIDDEN,
};

/** Two hundred tests of a file each, and a finding in every tenth. */
export const suite: Findings = ((): Findings => {
  const tests = Array.from({ length: 200 }, (_, n) =>
    testOf(`s${n}`, { name: `case ${n} of a suite of the usual size`, schedules: 20, events: 4000 }),
  );
  const bugs = Array.from({ length: 20 }, (_, n) => ({
    ...recorded,
    bug: { ...recorded.bug, id: `b${n}00`, test: `s${n * 10}` },
  }));
  const notes = Object.fromEntries(
    tests.map(({ id }) => [
      id,
      { silence: { pairs: 40, left: 0, reasons: [{ reason: 'both hold Mutex@src/bank.ts:3', count: 40 }] } },
    ]),
  );
  return {
    report: { ...everyState, tests, bugs: bugs.map(({ bug }) => bug) },
    views: { bugs, tests: notes },
    hidden: NOTHING_HIDDEN,
  };
})();

/** A run of so many events, of which every second is a turn; the accesses of the bank lie far apart in it. */
export function longTrace(length: number): { trace: Trace; cutPoint: CutPoint } {
  const paths = ['root', 'root.alice', 'root.bob'];
  const kind = new Uint8Array(length);
  const activation = new Int32Array(length);
  const site = new Int32Array(length);
  const object = new Int32Array(length);
  const turns = length / 2;
  for (let i = 0; i < length; i++) {
    const n = Math.floor(i / 2);
    kind[i] = i % 2 === 0 ? EventKind.Issue : EventKind.Turn;
    activation[i] = 1 + (n % 2);
    object[i] = n;
  }
  const access = (event: number, by: number, write: boolean): void => {
    kind[event] = write ? EventKind.Write : EventKind.Read;
    activation[event] = by;
    site[event] = write ? 1 : 0;
    object[event] = 0;
  };
  const [first, remote, second] = [100, length / 2, length - 200];
  access(first, 1, false);
  access(remote, 2, true);
  access(second, 1, true);
  const cut = bankCut('RWW');
  const point = (view: typeof cut.first, event: number, path: string) => ({
    ...{ site: 0, at: `${view.file}:${view.line}:${view.column}`, path, task: view.task },
    ...{ access: view.access, ordinal: 0, request: null, event },
  });
  const trace: Trace = {
    events: { length, kind, activation, site, object },
    sites: [cut.first, cut.second].map(({ file, line, column, text, fn }) => ({
      file,
      line,
      column,
      text,
      fn,
    })),
    activations: paths.map((path, id) => ({
      ...{ id, kind: id === 0 ? ('root' as const) : ('task' as const), parent: id === 0 ? -1 : 0 },
      ...{ joined: false, cause: -1, path, name: path.slice(5), site: 0, atomic: null },
    })),
    requests: Array.from({ length: turns }, (_, id) => ({
      ...{ id, kind: 'pool' as const, api: 'fs.readFile', what: `part-${id}.json`, name: `r${id}` },
      ...{ activation: 1 + (id % 2), site: 0, delay: 0, ref: true, behind: -1, takenBack: -1, since: -1 },
    })),
    entities: [{ id: 0, name: 'Account#balance', kind: 'property' }],
    ...{ locks: [], conditions: [], jobs: [], steps: [], saturated: [], ungated: {} },
  };
  const cutPoint: CutPoint = {
    ...{ id: 'c1', pattern: 'RWW', entity: 'Account#balance', transaction: 'root.alice' },
    first: point(cut.first, first, 'root.alice'),
    remote: point(cut.remote, remote, 'root.bob'),
    second: point(cut.second, second, 'root.alice'),
    ...{ locksFirst: [], locksRemote: [], rank: 1, reasons: [] },
  };
  return { trace, cutPoint };
}

/** An order of 100,000 events, and a thousand findings. */
export const huge: Findings = ((): Findings => {
  const { trace, cutPoint } = longTrace(100_000);
  const long: BugView = { ...recorded, timeline: timelineOf(trace, cutPoint) };
  const many = Array.from({ length: 1000 }, (_, n): BugView => {
    const bug: ReportBug = { ...recorded.bug, id: `b${n}` };
    return { ...(n === 0 ? long : recorded), bug };
  });
  return {
    report: { ...everyState, bugs: many.map(({ bug }) => bug) },
    views: { ...everyStateViews, bugs: many },
    hidden: NOTHING_HIDDEN,
  };
})();
