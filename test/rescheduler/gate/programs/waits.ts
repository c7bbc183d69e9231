/** Time that passes within turns, in loops that look at the clock, in `Atomics.wait`, for synchronous children; and for others. */
import { exec, execFile, execFileSync, execSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { answer, type Case, impossible } from './program.ts';

const CLOCKS: Readonly<Record<string, () => number>> = {
  Date: () => Date.now(),
  'performance.now': () => performance.now(),
  hrtime: () => Number(process.hrtime.bigint()) / 1e6,
  'process.uptime': () => process.uptime() * 1e3,
};

/** Waits by looking at the clock. */
function busy(ms: number, now = () => Date.now()): void {
  const start = now();
  while (now() - start < ms);
}

const nothing = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));
const pause = (ms: number): void => void Atomics.wait(nothing(), 0, 0, ms);

/** What waits for so long shows so much on every clock, and not many times as much. */
const taking =
  (ms: number, wait: () => unknown): Case['run'] =>
  async () => {
    const read = () => [...Object.values(CLOCKS), () => os.uptime() * 1e3].map((now) => now());
    const start = read();
    await wait();
    const passed = read().map((now, i) => now - start[i]!);
    // The clock of the machine shows hundredths of a second, the calendar's whole ms.
    if (Math.min(...passed) < ms - 11 || Math.min(...passed.slice(0, -1)) < ms - 1) impossible(passed);
    if (Math.max(...passed) > ms + 20_000) impossible(passed);
  };

export const waits: Record<string, Case> = {
  'Atomics.wait takes its time': { orders: 2, run: taking(30, () => pause(30)) },
  'short waits take their time': {
    orders: 2,
    run: taking(30, () => {
      for (let i = 0; i < 10; i++) pause(3);
    }),
  },
  'execSync takes its time': { orders: 2, run: taking(30, () => void execSync('sleep 0.03')) },
  'spawnSync takes its time': { orders: 2, run: taking(30, () => void spawnSync('sleep', ['0.03'])) },
  'execFileSync takes its time': { orders: 2, run: taking(30, () => void execFileSync('sleep', ['0.03'])) },
  'exec takes its time': { orders: 2, run: taking(30, () => promisify(exec)('sleep 0.03')) },
  'a child takes its time until its end': {
    orders: 2,
    run: taking(30, () => once(spawn('sleep', ['0.03']), 'exit')),
  },
  'a child takes its time until it writes': {
    orders: 2,
    run: taking(30, () => once(spawn('sh', ['-c', 'sleep 0.03; echo']).stdout, 'data')),
  },
  'a child that is killed takes as long as it was left alone': {
    orders: 2,
    run: taking(30, async () => {
      const child = spawn('sleep', ['9']);
      await sleep(30);
      child.kill();
      await once(child, 'exit');
    }),
  },
  'what a child is told by a timer it answers no sooner': {
    orders: 2,
    run: taking(30, async () => {
      const child = spawn('cat');
      await sleep(30);
      child.stdin.end('x');
      await once(child.stdout, 'data');
    }),
  },
  'two children one after the other take the time of both': {
    orders: 2,
    run: taking(40, async () => {
      for (let i = 0; i < 2; i++) await promisify(execFile)('sleep', ['0.02']);
    }),
  },
  ...Object.fromEntries(
    Object.entries(CLOCKS).map(([name, now]): [string, Case] => [
      `a loop that looks at ${name} takes its time`,
      { orders: 4, run: taking(20, () => busy(20, now)) },
    ]),
  ),
  'what is measured takes longer than nothing': {
    run: async () => {
      const clocks = [CLOCKS['performance.now']!, CLOCKS['hrtime']!];
      const start = clocks.map((now) => now());
      await immediate();
      for (const [i, now] of clocks.entries()) if (now() <= start[i]!) impossible('nothing has passed');
    },
  },
  'what is due behind a busy loop fires before what it starts': {
    orders: 8,
    run: async () => {
      let early = false;
      setTimeout(() => {
        early = true;
      }, 20);
      busy(50);
      await sleep(1);
      if (!early) impossible('1 ms behind 50 ms before 20 ms');
    },
  },
  'what is due behind a busy loop comes before answers, where the timers phase is next': {
    orders: 8,
    run: () =>
      answer((resolve, reject) =>
        setImmediate(() => {
          let early = false;
          setTimeout(() => {
            early = true;
          }, 20);
          fs.stat('.', () => (early ? resolve() : reject(new Error('impossible: an answer came first'))));
          busy(50);
        }),
      ),
  },
  'a list whose first timer was taken back is not late behind a long turn': {
    orders: 4,
    run: () =>
      answer((resolve) => {
        const off = setTimeout(() => {}, 10);
        busy(400);
        setTimeout(resolve, 10);
        clearTimeout(off);
        busy(600);
      }),
    slow: true,
  },
};
