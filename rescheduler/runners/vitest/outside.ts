/**
 * What Vitest does in a worker besides the user's code. What it says to its main process is none of the program's doing, but
 * for modules: a program that imports waits for an answer. `vi.waitFor` and `expect.poll` wait for the program in its own
 * time.
 */
import { ask, natively } from '../../gate/session.ts';

type OutsideCall = ((...args: unknown[]) => Promise<unknown>) & { asEvent?: unknown };

/** Documented as `workerState` of the runner. */
export interface WorkerState {
  rpc: Record<string, OutsideCall>;
}

/** A call whose answer nobody waits for. */
const LOG = 'onUserConsoleLog';
const known = new WeakSet<object>();

export function outsideOfGate(state: WorkerState): void {
  if (known.has(state.rpc)) return;
  const rpc = new Proxy(state.rpc, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver);
      if (typeof call !== 'function' || typeof name !== 'string' || name.startsWith('$')) return call;
      const start = (args: unknown[]) =>
        natively(() => Reflect.apply(call, target, args) as Promise<unknown>);
      const outside: OutsideCall = (...args) =>
        name === LOG ? start(args) : ask(`vitest.${name}`, () => start(args));
      return Object.assign(outside, { asEvent: (call as OutsideCall).asEvent });
    },
  });
  state.rpc = rpc;
  known.add(rpc);
}

const TIMERS = ['setInterval', 'clearTimeout', 'clearInterval'] as const;

/** The time allowed to the test that is being called, while Vitest has not begun to measure it. */
let allowed: number | null = null;

/**
 * Called when the gate is there. What Vitest sets in the name of the program is then in its time; that is native where no
 * test is in the gate.
 */
export function gateWaiting(): void {
  const key = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'vitest:SAFE_TIMERS',
  );
  const safe = key && (globalThis as unknown as Record<symbol, Record<string, unknown>>)[key];
  if (!safe) throw new Error('unweave: this version of Vitest keeps its timers in an unknown place');
  for (const name of TIMERS) safe[name] = globalThis[name];
  const { setTimeout } = globalThis;
  safe['setTimeout'] = (fn: () => void, ms?: number) => {
    if (allowed === null || ms !== allowed) return setTimeout(fn, ms);
    // How long a test may take is measured in real time.
    allowed = null;
    return natively(() => setTimeout(fn, ms));
  };
}

/** Calls the function of a test, which measures its time first. */
export function callTest<T>(call: () => T, timeout: number | undefined): T {
  allowed = timeout ?? null;
  try {
    return call();
  } finally {
    allowed = null;
  }
}
