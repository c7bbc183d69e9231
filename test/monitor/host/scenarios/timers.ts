/** Timers, immediates and clocks: what a program can see of them besides their order among tasks. */
import {
  setInterval as every,
  setImmediate as immediate,
  scheduler,
  setTimeout as sleep,
} from 'node:timers/promises';
import { promisify } from 'node:util';
import { outcome, type Scenario } from './outcome.ts';

const fired = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const timers: Record<string, Scenario> = {
  'this, arguments, class': () =>
    new Promise((resolve) => {
      const timer = setTimeout(
        function (this: unknown, ...args: unknown[]) {
          resolve([this === timer, args, timer.constructor.name, timer.hasRef()]);
        },
        1,
        'a',
        2,
      );
    }),
  'what is pending keeps the process alive': async () => {
    const kinds = () => {
      const found = process.getActiveResourcesInfo();
      return ['Timeout', 'Immediate'].map((kind) => found.filter((each) => each === kind).length);
    };
    const before = kinds();
    const all = [5, 5, 6].map((ms) => setTimeout(() => {}, ms));
    setTimeout(() => {}, 7).unref();
    const pending = setImmediate(() => {});
    const during = kinds();
    clearTimeout(all[0]);
    clearImmediate(pending);
    const after = kinds();
    return [during, after].map((counts) => counts.map((n, i) => n - before[i]!));
  },
  'equal delays in order': async () => {
    const order: number[] = [];
    for (let i = 0; i < 4; i++) setTimeout(() => order.push(i), 7);
    await fired(20);
    return order;
  },
  'delays in order': async () => {
    const order: number[] = [];
    for (const ms of [30, 10, 20]) setTimeout(() => order.push(ms), ms);
    await fired(60);
    return order;
  },
  'odd delays': async () => {
    const order: unknown[] = [];
    for (const ms of [0, -5, Number.NaN, 1.9, undefined, '1'] as number[])
      setTimeout(() => order.push(ms), ms);
    await fired(10);
    return order.length;
  },
  clearTimeout: async () => {
    let count = 0;
    const timer = setTimeout(() => count++, 1);
    clearTimeout(timer);
    clearTimeout(timer);
    await fired(5);
    return [count, (timer as unknown as { _destroyed: boolean })._destroyed];
  },
  'cleared by number': async () => {
    let count = 0;
    clearTimeout(Number(setTimeout(() => count++, 1)));
    await fired(5);
    return count;
  },
  'cleared by an earlier timer': async () => {
    let count = 0;
    const first = setTimeout(() => clearTimeout(second), 1);
    const second = setTimeout(() => count++, 1);
    await fired(5);
    return [count, typeof first];
  },
  setInterval: () =>
    new Promise((resolve) => {
      let ticks = 0;
      const timer = setInterval(() => {
        if (++ticks < 3) return;
        clearInterval(timer);
        resolve(ticks);
      }, 5);
    }),
  'interval cleared before its first tick': async () => {
    let ticks = 0;
    clearInterval(setInterval(() => ticks++, 2));
    await fired(10);
    return ticks;
  },
  refresh: async () => {
    const order: string[] = [];
    const timer = setTimeout(() => order.push('refreshed'), 30);
    setTimeout(() => {
      order.push('refresh');
      timer.refresh();
    }, 20);
    setTimeout(() => order.push('40'), 40);
    await fired(90);
    return order;
  },
  'refresh after it fired': async () => {
    let count = 0;
    const timer = setTimeout(() => count++, 5);
    await fired(20);
    timer.refresh();
    await fired(20);
    return count;
  },
  'refresh in its own callback': async () => {
    let count = 0;
    const timer = setTimeout(() => {
      if (++count < 3) timer.refresh();
    }, 5);
    await fired(60);
    return count;
  },
  'unref and ref': async () => {
    const timer = setTimeout(() => {}, 50);
    const seen = [timer.hasRef(), timer.unref().hasRef(), timer.ref().hasRef()];
    clearTimeout(timer);
    return seen;
  },
  dispose: async () => {
    let count = 0;
    {
      using timer = setTimeout(() => count++, 1);
      void timer;
    }
    await fired(5);
    return count;
  },
  'setImmediate arguments': () => new Promise((resolve) => setImmediate((...args) => resolve(args), 1, 'b')),
  'immediates in order, nested ones later': async () => {
    const order: number[] = [];
    setImmediate(() => {
      order.push(1);
      setImmediate(() => order.push(3));
    });
    setImmediate(() => order.push(2));
    await fired(10);
    return order;
  },
  clearImmediate: async () => {
    let count = 0;
    const second = () => clearImmediate(third);
    setImmediate(second);
    const third = setImmediate(() => count++);
    await fired(5);
    return count;
  },
  'ticks and microtasks between immediates': async () => {
    const order: string[] = [];
    setImmediate(() => {
      order.push('i1');
      process.nextTick(() => order.push('tick'));
      Promise.resolve().then(() => order.push('micro'));
    });
    setImmediate(() => order.push('i2'));
    await fired(5);
    return order;
  },
  'ticks and microtasks between timers': async () => {
    const order: string[] = [];
    setTimeout(() => {
      order.push('t1');
      Promise.resolve().then(() => order.push('micro'));
      process.nextTick(() => order.push('tick'));
    }, 2);
    setTimeout(() => order.push('t2'), 2);
    await fired(8);
    return order;
  },
  'promises/setTimeout': () => outcome(sleep(2, 'v')),
  'promises/setTimeout aborted': async () => {
    const control = new AbortController();
    const sleeping = outcome(sleep(50, 'v', { signal: control.signal }));
    control.abort();
    return sleeping;
  },
  'promises/setTimeout invalid': () => outcome(sleep('x' as unknown as number)),
  'promises/setImmediate': () => outcome(immediate('v')),
  'promises/setImmediate aborted': async () => {
    const control = new AbortController();
    const waiting = outcome(immediate('v', { signal: control.signal }));
    control.abort();
    return waiting;
  },
  'promises/setInterval': async () => {
    const values: string[] = [];
    for await (const value of every(3, 'v')) if (values.push(value) === 3) break;
    return values;
  },
  scheduler: async () => [await outcome(scheduler.yield()), await outcome(scheduler.wait(3))],
  promisified: async () => [
    await outcome(promisify(setTimeout)(2, 'x')),
    await outcome(promisify(setImmediate)('y')),
  ],
  'AbortSignal.timeout': async () => {
    const signal = AbortSignal.timeout(5);
    const before = signal.aborted;
    await fired(40);
    return [before, signal.aborted, (signal.reason as Error).name];
  },
  'clocks agree with timers': async () => {
    const start = [
      Date.now(),
      performance.now(),
      Number(process.hrtime.bigint()) / 1e6,
      process.uptime() * 1e3,
    ];
    const pair = process.hrtime();
    await sleep(30);
    const end = [
      Date.now(),
      performance.now(),
      Number(process.hrtime.bigint()) / 1e6,
      process.uptime() * 1e3,
    ];
    const [seconds, rest] = process.hrtime(pair);
    return [...end.map((at, i) => at - start[i]! >= 29), seconds * 1e3 + rest / 1e6 >= 29];
  },
  Date: async () => [
    typeof Date.now(),
    typeof Date(),
    new Date(0).toISOString(),
    new Date(2020, 1, 2).getFullYear(),
    new Date() instanceof Date,
    new (class Own extends Date {})().constructor.name,
    Date.UTC(2000, 0),
    Date.length,
    Date.name,
    new Date().constructor === Date,
  ],
};
