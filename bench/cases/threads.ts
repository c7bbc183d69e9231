/** Prediction on traces of threads of up to 100 million events: speed, the floor, the share of each step, memory. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporary } from '../../test/temporary.ts';
import type { Decided, Measured } from '../contestants/threads.ts';
import { benchFile } from '../lib/ours.ts';
import { type Case, FULL, type Row } from '../lib/rows.ts';
import type { ShapeName } from '../lib/shapes.ts';

async function measure<T = Measured>(...args: (string | number)[]): Promise<T> {
  const child = fork(benchFile('contestants/threads.ts'), args.map(String), { execArgv: ['--no-warnings'] });
  const [answer] = (await once(child, 'message')) as [T];
  await once(child, 'exit');
  return answer;
}

const millions = (events: number): string => `${events / 1e6} M events`;

/** The pass itself, and what each step of it takes. */
function speed(shape: ShapeName, events: number, m: Measured): Row[] {
  const pass = m.look + m.scan + m.compare;
  const share = (step: number): string => `${Math.round((100 * step) / pass)} %`;
  const steps = `look ${share(m.look)}, scan ${share(m.scan)}, compare ${share(m.compare)}`;
  const found = `${m.candidates.toLocaleString('en')} candidates`;
  return [
    {
      what: `threads, ${shape}, ${millions(events)}: ${steps}; ${found}`,
      unit: 'M events/s',
      ours: events / pass / 1e6,
      peer: { name: 'bare scan', value: events / m.floor / 1e6 },
      goal: null,
    },
  ];
}

/** All of it: reading three times, the pass, windows, schedules. */
async function decided(shape: ShapeName, events: number): Promise<Row[]> {
  const m = await measure<Decided>('decide', shape, events);
  const found = `${m.cutPoints.toLocaleString('en')} cut points with schedules`;
  const kinds = `${m.kinds.toLocaleString('en')} kinds, ${m.undecided.toLocaleString('en')} undecided`;
  const what = `threads, ${shape}, ${millions(events)}: ${found}, of ${kinds}`;
  return [
    { what, unit: 's', ours: m.seconds, peer: null, goal: null },
    { what: `${what}: peak memory`, unit: 'MB', ours: m.peak, peer: null, goal: null },
  ];
}

async function fromStore(events: number): Promise<Row[]> {
  const folder = temporary('unweave-bench');
  try {
    const path = join(folder, 'trace.db');
    await measure<null>('write', 'standard', events, path);
    const m = await measure('read', path);
    const whole = m.source + m.look + m.scan + m.compare;
    const what = `threads from the store, ${millions(events)}`;
    return [
      {
        what: `${what}: reading twice, pass, comparing`,
        unit: 's',
        ours: whole,
        peer: null,
        goal: { atMost: 3 },
      },
      { what: `${what}: peak memory`, unit: 'MB', ours: m.peak, peer: null, goal: { atMost: 400 } },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const run: Case = async ({ rounds, share }) => {
  const scale = rounds < FULL.rounds ? 0.1 * share : 1;
  const sizes: readonly (readonly [ShapeName, number])[] = [
    ['standard', 1e6],
    ['standard', 14e6],
    ['hot', 14e6],
    ['unstructured', 14e6],
    ['tsp', 32e6],
    ['elevator', 329e3],
  ];
  const rows: Row[] = [];
  let peak = 0;
  for (const [shape, events] of sizes) {
    const m = await measure('stream', shape, events * scale);
    rows.push(...speed(shape, events * scale, m));
    if (shape === 'standard') peak = m.peak;
  }
  rows.push(...(await decided('tsp', 14e6 * scale)), ...(await decided('elevator', 329e3)));
  rows.push(...(await fromStore(14e6 * scale)));
  const large = await measure('stream', 'standard', 100e6 * scale);
  rows.push(...speed('standard', 100e6 * scale, large), {
    what: `threads, ${millions(100e6 * scale)} streamed: peak memory`,
    unit: 'MB',
    ours: large.peak,
    peer: { name: millions(14e6 * scale), value: peak },
    goal: { atMost: 1.3 },
  });
  return rows;
};

export default run;
