/** Timers and clocks. */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { setInterval as every, setTimeout as sleep } from 'node:timers/promises';
import { answer, type Case, impossible } from './program.ts';

export const timers: Record<string, Case> = {
  'equal delays fire in order': {
    needs: 'timers',
    run: async () => {
      const order: number[] = [];
      for (let i = 0; i < 4; i++) setTimeout(() => order.push(i), 7);
      await sleep(20);
      if (order.join() !== '0,1,2,3') impossible(order);
    },
  },
  'equal delays made at different times fire in order': {
    needs: 'timers',
    run: async () => {
      const order: string[] = [];
      setTimeout(() => {
        order.push('a');
        setTimeout(() => order.push('c'), 5);
      }, 5);
      setTimeout(() => order.push('b'), 5);
      await sleep(30);
      await sleep(5);
      if (order.join() !== 'a,b,c') impossible(order);
    },
  },
  'a longer timer made earlier waits for a shorter one made earlier still': {
    needs: 'timers',
    run: async () => {
      const order: number[] = [];
      setTimeout(() => order.push(1), 5);
      setTimeout(() => order.push(2), 50);
      await fsp.stat('.');
      await sleep(60);
      if (order.join() !== '1,2') impossible(order);
    },
  },
  'a chain of two does not overtake one as long made before': {
    needs: 'timers',
    run: async () => {
      let ended = false;
      setTimeout(() => {
        ended = true;
      }, 10);
      await sleep(5);
      await sleep(5);
      if (!ended) impossible('5 + 5 ms before 10 ms');
    },
  },
  'refresh postpones': {
    run: () =>
      answer((resolve, reject) => {
        let n = 0;
        const watchdog = setTimeout(() => {
          clearInterval(ticks);
          if (n < 3) reject(new Error(`fired after ${n} ticks`));
          else resolve();
        }, 600);
        const ticks = setInterval(() => {
          n += 1;
          if (n <= 3) watchdog.refresh();
          else clearInterval(ticks);
        }, 10);
      }),
  },
  'cleared in the same batch': {
    run: () =>
      answer((resolve, reject) => {
        setTimeout(() => clearTimeout(second), 1);
        const second = setTimeout(() => reject(new Error('cleared')), 1);
        setTimeout(resolve, 5);
        fs.stat('.', () => {});
      }),
  },
  'what is taken back in time had not expired when later timers ran': {
    needs: 'timers',
    run: async () => {
      const order: string[] = [];
      const off = setTimeout(() => order.push('off'), 10);
      setTimeout(() => order.push('late'), 20);
      setTimeout(() => order.push('early'), 9);
      setTimeout(() => clearTimeout(off), 8);
      await sleep(40);
      await sleep(20);
      if (order.join() === 'late,early') impossible(order);
    },
  },
  'what an interval starts with its delay comes before its next tick': {
    needs: 'timers',
    run: () =>
      answer((resolve, reject) => {
        let started = false;
        const interval = setInterval(() => {
          if (started) {
            clearInterval(interval);
            reject(new Error('the next tick came first'));
          } else
            setTimeout(() => {
              clearInterval(interval);
              resolve();
            }, 5);
          started = true;
        }, 5);
      }),
  },
  'an interval keeps its pace by the clock': {
    needs: 'clocks',
    run: () =>
      answer((resolve, reject) => {
        const start = Date.now();
        let n = 0;
        const timer = setInterval(() => {
          n += 1;
          if (Date.now() - start < 10 * n - 2) reject(new Error(`tick ${n} is early`));
          if (n < 5) return;
          clearInterval(timer);
          resolve();
        }, 10);
      }),
  },
  'an interval ticks before a much longer timer': {
    needs: 'timers',
    run: () =>
      answer((resolve, reject) => {
        let n = 0;
        const timer = setInterval(() => n++, 10);
        setTimeout(() => {
          clearInterval(timer);
          if (n < 1) reject(new Error('no tick in 95 ms'));
          else resolve();
        }, 95);
      }),
  },
  'the clock has moved after a sleep': {
    needs: 'clocks',
    run: async () => {
      const start = Date.now();
      await sleep(50);
      if (Date.now() - start < 49) impossible(Date.now() - start);
    },
  },
  'all clocks agree': {
    run: async () => {
      const read = () => [
        Date.now(),
        performance.now(),
        Number(process.hrtime.bigint()) / 1e6,
        process.uptime() * 1e3,
      ];
      const start = read();
      await sleep(500);
      const passed = read().map((now, i) => now - start[i]!);
      if (Math.max(...passed) - Math.min(...passed) > 60) impossible(passed);
      if (Math.min(...passed) < 498) impossible(passed);
    },
  },
  'the calendar has moved after a long sleep': {
    needs: 'clocks',
    slow: true,
    run: async () => {
      const minutes = new Intl.DateTimeFormat('en', { minute: 'numeric', timeZone: 'UTC' });
      const { Temporal } = globalThis as { Temporal?: { Now: Record<string, (zone?: string) => object> } };
      const told = ['instant', 'zonedDateTimeISO', 'plainDateTimeISO'].map((name) => Temporal?.Now[name]);
      const read = () => [
        minutes.format(),
        minutes
          .formatToParts()
          .map(({ value }) => value)
          .join(''),
        ...told.flatMap((tell) => (tell ? [String(tell('UTC')).slice(0, '2026-01-01T00:00'.length)] : [])),
        ...(Temporal ? [String(Temporal.Now['plainTimeISO']!('UTC')).slice(0, '00:00'.length)] : []),
      ];
      const before = read();
      await sleep(90_000);
      for (const [i, now] of read().entries()) if (now === before[i]) impossible([i, now]);
    },
  },
  'marks and measures': {
    needs: 'clocks',
    slow: true,
    run: async () => {
      performance.mark('start');
      await sleep(300);
      performance.mark('end');
      const lengths = [
        performance.measure('between', 'start', 'end'),
        performance.measure('since', 'start'),
        performance.measure('from', { start: 'start' }),
      ].map(({ duration }) => duration);
      performance.clearMarks();
      performance.clearMeasures();
      if (Math.min(...lengths) < 299 || Math.max(...lengths) > 330) impossible(lengths);
    },
  },
  'hrtime pairs': {
    run: async () => {
      const start = process.hrtime();
      await sleep(200);
      const [seconds, rest] = process.hrtime(start);
      if (seconds * 1e3 + rest / 1e6 < 199) impossible([seconds, rest]);
    },
  },
  'uptime over a long sleep': {
    slow: true,
    run: async () => {
      const start = process.uptime();
      await sleep(20_000);
      if (process.uptime() - start < 19.99) impossible(process.uptime() - start);
    },
  },
  'AbortSignal.timeout before a much longer sleep': {
    slow: true,
    run: async () => {
      const signal = AbortSignal.timeout(10);
      let aborted = false;
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      await sleep(1000);
      if (!aborted) impossible('1000 ms without the abort after 10 ms');
    },
  },
  'an unref timer alone never fires': {
    needs: 'unref',
    endless: true,
    run: () => answer((_resolve, reject) => setTimeout(() => reject(new Error('kept alive')), 100).unref()),
  },
  'an unref interval alone never ticks': {
    endless: true,
    run: () => answer((_resolve, reject) => setInterval(() => reject(new Error('kept alive')), 100).unref()),
  },
  'an unref immediate alone never runs': {
    needs: 'unref',
    endless: true,
    run: () => answer((_resolve, reject) => setImmediate(() => reject(new Error('kept alive'))).unref()),
  },
  'an unref immediate runs in the round that has begun, and one that it makes does not': {
    endless: true,
    run: async () => {
      await sleep(1);
      await answer((resolve) => setImmediate(resolve).unref());
      await answer((_resolve, reject) => setImmediate(() => reject(new Error('kept alive'))).unref());
    },
  },
  "an immediate that is ref'd again runs": {
    run: () => answer((resolve) => setImmediate(resolve).unref().ref()),
  },
  'an unref timer does not disturb': {
    run: async () => {
      const timer = setTimeout(() => {}, 5).unref();
      await fsp.stat('.');
      await sleep(1);
      clearTimeout(timer);
    },
  },
  debounce: {
    run: async () => {
      let calls = 0;
      let timer: NodeJS.Timeout | undefined;
      for (let i = 0; i < 4; i++) {
        clearTimeout(timer);
        timer = setTimeout(() => calls++, 1000);
        await sleep(10);
      }
      await sleep(1000);
      await sleep(1);
      if (calls !== 1) impossible(calls);
    },
    slow: true,
  },
  'throttle by Date': {
    run: async () => {
      let last = 0;
      let calls = 0;
      for (let i = 0; i < 5; i++) {
        if (Date.now() - last >= 100) {
          last = Date.now();
          calls += 1;
        }
        await sleep(30);
      }
      if (calls < 2 || calls > 5) impossible(calls);
    },
  },
  'what was due by the clock fires before what was not': {
    run: async () => {
      let early = false;
      setTimeout(() => {
        early = true;
      }, 50);
      const start = Date.now();
      setTimeout(() => {}, 60);
      await sleep(400);
      if (!early) impossible(Date.now() - start);
    },
  },
  'a clock read after both timers fixes their order': {
    needs: 'timers',
    run: () =>
      answer((resolve, reject) => {
        let short = false;
        const before = Date.now();
        setTimeout(() => {
          if (!short && elapsed < 100) reject(new Error('200 ms fired before 50 ms, made within 100 ms'));
          else resolve();
        }, 200);
        setTimeout(() => {
          short = true;
        }, 50);
        const elapsed = Date.now() - before;
      }),
  },
  'AbortSignal cancels a sleep once': {
    run: async () => {
      const control = new AbortController();
      const sleeping = sleep(10, 'v', { signal: control.signal }).catch((error) => error.code);
      fs.stat('.', () => control.abort());
      const value = await sleeping;
      if (value !== 'v' && value !== 'ABORT_ERR') impossible(value);
      if (value === 'ABORT_ERR' && !control.signal.aborted) impossible('aborted without abort');
    },
  },
  'timers/promises interval': {
    run: async () => {
      let n = 0;
      for await (const value of every(10, 'v')) {
        if (value !== 'v') impossible(value);
        if (++n === 3) break;
      }
    },
  },
  'a stat takes less than a lease of ten seconds': {
    needs: 'bounded',
    slow: true,
    run: async () => {
      let held: { by: number; until: number } | null = null;
      const acquire = (by: number) => {
        if (held && Date.now() < held.until) return false;
        held = { by, until: Date.now() + 10_000 };
        return true;
      };
      const work = async (by: number) => {
        while (!acquire(by)) await sleep(5000);
        await fsp.stat('.');
        if (held?.by !== by) impossible('the lease ran out during one stat');
        held = null;
      };
      await Promise.all([work(1), work(2)]);
    },
  },
  'the four answers of one read together are not three seconds late': {
    needs: 'bounded',
    slow: true,
    run: async (directory) => {
      const file = `${directory}/a`;
      await fsp.writeFile(file, 'a');
      const ticks = setInterval(() => {}, 400);
      const late = sleep(3000, 'late');
      const first = await Promise.race([fsp.readFile(file, 'utf8'), late]);
      clearInterval(ticks);
      if (first !== 'a') impossible(first);
    },
  },
  'a read takes less than twenty seconds': {
    needs: 'bounded',
    slow: true,
    run: async () => {
      const control = new AbortController();
      const late = sleep(20_000, 'late', { signal: control.signal }).catch(() => 'cancelled');
      const winner = await Promise.race([fsp.readFile('package.json').then(() => 'read'), late]);
      control.abort();
      if (winner !== 'read') impossible(winner);
    },
  },
  'retry until a deadline': {
    slow: true,
    run: async (d) => {
      const writing = sleep(20).then(() => fsp.writeFile(`${d}/r`, '1'));
      const start = Date.now();
      let there = false;
      while (!there && Date.now() - start < 30_000) {
        there = await fsp.access(`${d}/r`).then(
          () => true,
          () => false,
        );
        if (!there) await sleep(50);
      }
      await writing;
      if (!there) impossible('not there after 30 s');
    },
  },
  'a mutex by sleeping and Date': {
    run: async () => {
      let inside = 0;
      let locked = false;
      const task = async () => {
        while (locked) await sleep(3);
        locked = true;
        if (++inside > 1) impossible('two inside');
        await sleep(7);
        await fsp.stat('.');
        inside -= 1;
        locked = false;
      };
      await Promise.all([task(), task(), task()]);
    },
  },
  'fake clocks and timers in place of the real ones stop nothing but what they fake': {
    run: async () => {
      const { performance, setImmediate } = globalThis;
      const fake = (members: object) => Object.assign(globalThis, members);
      fake({ performance: { now: () => 0 }, setImmediate: () => {} });
      try {
        await Promise.all([sleep(5), fsp.stat('.'), fsp.access('.')]);
        await fsp.readFile('.', { signal: AbortSignal.abort() }).catch(() => {});
      } finally {
        fake({ performance, setImmediate });
      }
    },
  },
};
