/** Runs a generated program in this process: recorded, under any strategy. */
import { stat } from 'node:fs/promises';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_LIMITS, type StrategySpec } from '../../data/run.ts';
import { instrument } from '../../monitor/instrument/instrument.ts';
import { runtime } from '../../monitor/runtime/index.ts';
import { executeGated } from '../../rescheduler/subjects/execution.ts';
import type { GeneratedProgram } from './generate.ts';

type Task = (state: State, io: object) => Promise<void>;
interface State {
  a: number;
  b: number;
  mutex: object;
  limit: unknown;
  signal: Signal;
}

class Signal {
  private waiters: (() => void)[] = [];
  private isOpen = false;
  open(): void {
    this.isOpen = true;
    for (const waiter of this.waiters.splice(0)) waiter();
  }
  wait(): Promise<void> {
    return this.isOpen ? Promise.resolve() : new Promise((resolve) => this.waiters.push(resolve));
  }
}

const io = {
  stat: () => stat(import.meta.dirname),
  sleep: (ms: number) => sleep(ms),
  immediate: () => immediate(),
};

export interface Libraries {
  readonly Mutex: new () => object;
  readonly pLimit: (concurrency: number) => unknown;
}

/** Compiles the program once; each execution gets fresh state. */
export function compile(program: GeneratedProgram, { Mutex, pLimit }: Libraries) {
  const file = `p${program.seed}.js`;
  const { code, sites } = instrument(program.source, {
    file,
    kind: 'commonjs',
    typescript: false,
    firstSite: runtime.nextSite(),
  });
  runtime.registerSites(sites);
  const names = Array.from({ length: program.tasks }, (_, i) => `t${i}`);
  const tasks = new Function('use', `${code}\nreturn [${names.join(', ')}];`)(() => {}) as Task[];
  return (spec: StrategySpec) =>
    executeGated(
      async (root) => {
        const state: State = { a: 0, b: 0, mutex: new Mutex(), limit: pLimit(1), signal: new Signal() };
        await Promise.all(
          tasks.map((task, i) => runtime.runAsBody(runtime.taskFrame(`t${i}`, root), () => task(state, io))),
        );
      },
      { spec, limits: DEFAULT_LIMITS, wantChoices: spec.kind === 'prefix', record: true },
    );
}
