/** Stores in temporary folders, and made-up traces that obey the invariants of real ones. */
import type { CutPoint, Schedule } from '../../../data/prediction.ts';
import type { ReportAccess, ReportBug } from '../../../data/report.ts';
import type { NewTest, Run } from '../../../data/store/index.ts';
import type { Condition, Trace } from '../../../data/trace.ts';
import { temporary } from '../../temporary.ts';

/** A fresh folder. */
export const folder = (): string => temporary('unweave-store');

/** A small generator, so that a seed is a trace. */
export function random(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const range = <T>(length: number, make: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at));

const CONDITIONS: readonly Condition[] = [
  { kind: 'start' },
  { kind: 'delivery', request: 1 },
  { kind: 'job', job: 0 },
  { kind: 'lock', lock: 0 },
  { kind: 'all', of: [1, 2] },
  { kind: 'any', of: [] },
  { kind: 'unknown' },
];

/** A trace of `length` events. */
export function makeTrace(length: number, seed = 1, sites = 40): Trace {
  const next = random(seed);
  const activations = 30;
  const trace: Trace = {
    events: {
      length,
      kind: new Uint8Array(length),
      activation: new Int32Array(length),
      site: new Int32Array(length),
      object: new Int32Array(length),
    },
    // Equal sites on purpose: two program points may look the same.
    sites: range(sites, (at) => ({
      file: `src/${at % 3}.ts`,
      line: 1 + (at >> 1),
      column: 1,
      text: `this.x${at >> 1}`,
      fn: 'f',
    })),
    activations: range(activations, (id) => ({
      id,
      kind: (['root', 'task', 'async', 'sync', 'callback'] as const)[id % 5]!,
      parent: id - 1,
      joined: id % 2 === 0,
      cause: id === 3 ? 2 : -1,
      path: `root.f#${id}`,
      name: `f "${id}" é\n`,
      site: id % 7 === 0 ? -1 : id % sites,
      atomic: [null, true, false][id % 3]!,
    })),
    requests: range(20, (id) => ({
      id,
      kind: (['pool', 'timer', 'immediate', 'external'] as const)[id % 4]!,
      api: 'fs.open',
      what: 'a.txt',
      name: `root.f#${id}:fs.open#0`,
      activation: id,
      site: id - 1,
      delay: id * 1.5,
      ref: id % 2 === 0,
      behind: (id % 3) - 1,
      takenBack: id * 3 - 1,
      since: -1,
    })),
    entities: range(25, (id) => ({
      id,
      name: `Account#field${id}`,
      kind: (['property', 'variable', 'element', 'resource', 'opaque'] as const)[id % 5]!,
    })),
    locks: range(3, (id) => ({ id, name: `Mutex@a.ts:${id}` })),
    conditions: [...CONDITIONS],
    jobs: range(15, (id) => ({ id, activation: id, condition: id % CONDITIONS.length })),
    steps: range(12, (at) => `${'EXD'[at % 3]}:root.f#${at >> 1}:fs.open#0`),
    saturated: [1, 5],
    ungated: { 'child_process.spawn': 2 },
  };
  const { kind, activation, site, object } = trace.events;
  const sizes = [25, 25, 3, 3, 20, 20, 20, 15, CONDITIONS.length];
  let who = 0;
  for (let i = 0; i < length; i++) {
    if (next(8) === 0) who = next(activations);
    kind[i] = next(10) < 7 ? next(2) : next(9);
    activation[i] = who;
    site[i] = next(50) === 0 ? -1 : next(sites);
    object[i] = next(sizes[kind[i] as number]!);
  }
  return trace;
}

export const newTest = (id: string): NewTest => ({
  id,
  file: 'test/a.test.ts',
  name: `outer > ${id}`,
  ordinal: 0,
  kind: 'node-test',
  recipe: { argv: ['node', '--test'], filter: id },
});

const point = (event: number, access: 'read' | 'write') => ({
  site: event % 5,
  at: `src/${event % 5}.ts:1:1`,
  path: `root.f#${event}`,
  task: `f ${event}`,
  access,
  ordinal: event % 3,
  request: event % 2 === 0 ? 'root|fs.stat#1' : null,
  event,
});

export function makeCutPoint(id: string, rank = 1, event = 10): CutPoint {
  return {
    id,
    pattern: 'RWW',
    entity: 'Account#balance',
    first: point(event, 'read'),
    remote: point(event + 2, 'write'),
    second: point(event + 5, 'write'),
    transaction: 'root.f#1',
    locksFirst: ['Mutex@a.ts:1', 'b'],
    locksRemote: [],
    rank,
    reasons: ['small stall', 'same function'],
  };
}

export function makeSchedule(id: string, cutPoint: string | null = null): Schedule {
  return {
    id,
    cutPoint,
    steps: [`E:${id}`, 'D:shared', 'E:shared', 'D:shared'],
    moves: 2,
    switches: 3,
    stallMs: 1.5,
  };
}

export const passed: Run['result'] = {
  outcome: 'pass',
  followed: 'followed',
  patternSeen: true,
  failure: null,
  steps: ['E:a', 'D:a'],
  requiredStallMs: 0,
  requiredPauseMs: 0,
  late: [],
  traceHash: 'abc',
  divergence: null,
  waits: [],
  ungated: {},
  durationMs: 3.25,
};

export const failed: Run['result'] = {
  ...passed,
  outcome: 'fail',
  followed: 'diverged',
  failure: { kind: 'assertion', name: 'AssertionError', message: '1 != 2', stack: 'at a', fingerprint: 'f1' },
  late: [{ api: 'fs.stat', what: 'a', ms: 30 }],
  divergence: { at: 1, wanted: 'E:a', instead: 'D:b' },
  waits: ['A waits for B'],
  ungated: { 'crypto.pbkdf2': 1 },
};

export function makeBug(id: string, test: string): ReportBug {
  const access: ReportAccess = {
    ...{ file: 'src/a.ts', line: 3, column: 5, access: 'read', task: 'A' },
    calledFrom: [{ file: 'src/b.ts', line: 9, column: 7, function: 'deposit' }],
  };
  return {
    id,
    test,
    kind: 'assertion',
    class: 'race',
    timing: null,
    latency: null,
    pattern: 'RWW',
    entity: 'Account#balance',
    conditional: null,
    first: access,
    remote: { ...access, access: 'write' },
    second: { ...access, access: 'write' },
    collision: null,
    other: null,
    variants: [],
    packages: [],
    lookedInto: [],
    waits: [],
    wakeUp: null,
    error: 'AssertionError: 1 != 2',
    reproduced: '3/3',
    against: 'natural',
    control: '3/3',
    witness: null,
    counterfactual: null,
    network: null,
    fix: null,
    requiredStallMs: 0,
    requiredPauseMs: 0,
    likelihood: 'any run',
    switches: 2,
    schedulesUntilFound: 1,
    replay: `unweave replay ${id}`,
  };
}
