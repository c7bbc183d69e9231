/** A floor: the timers of a program made, fired one after the other and awaited by Node alone, with no choice. */
import type * as NodeInternals from '../../monitor/host/node-internals.ts';
import { serveRounds } from '../lib/contest.ts';
import { benchFile, ours } from '../lib/ours.ts';

const [program] = process.argv.slice(2) as [string];
const { readNodeInternals } = await ours<typeof NodeInternals>('monitor/host/node-internals');
const { L, listOnTimeout } = readNodeInternals();
const drain = (process as unknown as { _tickCallback(): void })._tickCallback;

const holder = globalThis as unknown as Record<symbol, any[]>;
const harnesses: any[] = (holder[Symbol.for('unweave.harnesses')] = []);
await import(benchFile(`programs/forced-${program}.mjs`));
const tasks = Object.values<any>(harnesses[0].tasks);

const { append } = L;
const solo: any = { msecs: 0 };
solo._idleNext = solo._idlePrev = solo;
const pending: Parameters<typeof append>[1][] = [];

serveRounds((work) => {
  L.append = (_list, timer) => pending.push(timer);
  for (let i = 0; i < work; i++) {
    const state = harnesses[0].setup();
    for (const task of tasks) task(state);
    for (let at = 0; at < pending.length; at++) {
      append(solo, pending[at]!);
      pending[at]!._idleStart = 0;
      listOnTimeout(solo, 0);
      drain();
    }
    pending.length = 0;
  }
  L.append = append;
});
