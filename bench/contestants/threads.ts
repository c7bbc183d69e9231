/**
 * One measurement of prediction on a trace of threads, in a process of its own so that its peak memory is known:
 * `threads.ts stream <shape> <events>`, `threads.ts write <shape> <events> <store>`, `threads.ts read <store>`,
 * `threads.ts decide <shape> <events>`.
 */
import type * as Store from '../../data/store/index.ts';
import type { ThreadEvents, ThreadNames } from '../../data/threads/trace.ts';
import type * as LongModule from '../../predictor/threads/long/predict.ts';
import type * as PassModule from '../../predictor/threads/pass/pass.ts';
import type * as AllModule from '../../predictor/threads/predict-all.ts';
import { ours } from '../lib/ours.ts';
import { SHAPES, type ShapeName } from '../lib/shapes.ts';
import { generatedThreads, POINTS_PER_METHOD, type Shape } from '../lib/threads.ts';

/** Seconds of CPU of each step, so that what else the machine does plays no part, and what was found. */
export interface Measured {
  /** The trace as it is read: generated, or decoded from the store. */
  source: number;
  look: number;
  scan: number;
  compare: number;
  /** Adding up the same columns. */
  floor: number;
  candidates: number;
  /** Megabytes. */
  peak: number;
}

/** From a trace to cut points with schedules. */
export interface Decided {
  /** Of CPU. */
  seconds: number;
  cutPoints: number;
  /** Kinds that locks and must-order allow. */
  kinds: number;
  /** Of these it is not known whether they are reachable. */
  undecided: number;
  /** Megabytes. */
  peak: number;
}

const [mode, ...args] = process.argv.slice(2) as [string, ...string[]];
const { openStore } = await ours<typeof Store>('data/store/index');
const { predictLong } = await ours<typeof LongModule>('predictor/threads/long/predict');
const { newTally } = await ours<typeof AllModule>('predictor/threads/predict-all');
const { Pass } = await ours<typeof PassModule>('predictor/threads/pass/pass');

if (mode === 'write') {
  const [name, events, path] = args as [ShapeName, string, string];
  const shape = SHAPES[name];
  using store = openStore(path, { create: true });
  store.putThreadTrace('bench', {
    names: namesOf(shape),
    chunks: () => generatedThreads(Number(events), shape),
  });
  process.send!(null);
} else if (mode === 'read') {
  using store = openStore(args[0]!, { readonly: true });
  const trace = store.getThreadTrace('bench')!;
  process.send!(measure(trace.counts, () => trace.chunks()));
} else if (mode === 'decide') {
  const [name, events] = args as [ShapeName, string];
  process.send!(decide(name, Number(events)));
} else {
  const [name, events] = args as [ShapeName, string];
  const counts = { ...SHAPES[name], events: Number(events) };
  process.send!(measure(counts, () => generatedThreads(counts.events, SHAPES[name])));
}

function namesOf(shape: Shape): ThreadNames {
  const list = (count: number, letter: string) => Array.from({ length: count }, (_, i) => `${letter}${i}`);
  return {
    threads: list(shape.threads, 'T'),
    entities: list(shape.entities, 'x'),
    locks: list(shape.locks, 'l'),
    channels: [],
    points: list(shape.methods * POINTS_PER_METHOD, ''),
    transactions: [],
  };
}

function decide(name: ShapeName, events: number): Decided {
  const shape = SHAPES[name];
  const trace = {
    counts: { ...shape, events },
    names: () => namesOf(shape),
    chunks: () => generatedThreads(events, shape),
  };
  const tally = newTally();
  let cutPoints = 0;
  for (const found of predictLong(trace, tally)) if (found) cutPoints += 1;
  const { user, system } = process.cpuUsage();
  return {
    seconds: (user + system) / 1e6,
    cutPoints,
    kinds: tally.triples,
    undecided: tally.undecided,
    peak: process.resourceUsage().maxRSS / 1024,
  };
}

function measure(counts: PassModule.Counts, read: () => Iterable<ThreadEvents>): Measured {
  const seconds = { source: 0, look: 0, scan: 0, compare: 0, floor: 0 };
  const cpu = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  let last = cpu();
  const lap = (step: keyof typeof seconds): void => {
    const now = cpu();
    seconds[step] += now - last;
    last = now;
  };
  const pass = new Pass(counts);
  for (const chunk of read()) {
    lap('source');
    pass.look(chunk);
    lap('look');
  }
  let sum = 0;
  for (const chunk of read()) {
    lap('source');
    pass.scan(chunk);
    lap('scan');
    const { length, op, thread, object, point } = chunk;
    for (let i = 0; i < length; i++) sum = (sum + op[i]! + thread[i]! + object[i]! + point[i]!) | 0;
    lap('floor');
  }
  lap('source');
  let candidates = 0;
  pass.candidates((_pattern, _local, _rows, from, to) => {
    candidates += to - from;
  });
  lap('compare');
  // The sum is used, so that nobody leaves it out.
  return {
    ...seconds,
    candidates: sum === 0.5 ? 0 : candidates,
    peak: process.resourceUsage().maxRSS / 1024,
  };
}
