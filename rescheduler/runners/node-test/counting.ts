/**
 * What a test asserts counts for its plan until its body is over. The runner looks at the plan then, and here only when
 * what the test has left behind is carried out: an interval that goes on asserting would break it.
 */
import assert from 'node:assert';
import type { TestContext } from 'node:test';
import type { Any } from './arguments.ts';

/** Rounds of microtasks from the end of a body to the runner's look at its plan. */
const ROUNDS = 4;

/** To be called in the first of these rounds: calls `look` in the last one. */
export async function beforeTheLook(look: () => void): Promise<void> {
  for (let round = 1; round < ROUNDS; round++) await null;
  look();
}

/** Returns what is to be called when the body is over. */
export function watchPlan(t: TestContext): () => void {
  let isOver = false;
  let waits = false;
  const counted = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(t), 'assert')?.get;
  const { plan } = t;
  if (!counted || typeof plan !== 'function') return () => {};
  let own: object | null = null;
  const uncounted = assert as unknown as Readonly<Record<PropertyKey, unknown>>;
  // The runner's own knows the plan that there is when it is first asked for. Its functions are handed out as they are, so
  // that their errors begin where they are called.
  const around = (): object =>
    new Proxy(counted.call(t), {
      get: (native, name) => (isOver && !waits && uncounted[name]) || Reflect.get(native, name),
    });
  Object.defineProperty(t, 'assert', { get: () => (own ??= around()), configurable: true });
  Object.defineProperty(t, 'plan', {
    value(...args: Any[]) {
      waits = Boolean(args[1]?.wait);
      return Reflect.apply(plan, t, args);
    },
    configurable: true,
    writable: true,
  });
  return () =>
    void beforeTheLook(() => {
      isOver = true;
    });
}
