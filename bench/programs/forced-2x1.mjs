// Two tasks, each a read, an await and a write, with delays of their own.
import { setTimeout as sleep } from 'node:timers/promises';

const add = (ms) => async (state) => {
  const before = state.balance;
  await sleep(ms);
  state.balance = before + 1;
};

// What `harness()` does; the module stays free of other imports.
globalThis[Symbol.for('unweave.harnesses')].push({
  name: 'forced',
  setup: () => ({ balance: 0 }),
  tasks: { a: add(1), b: add(2) },
  check: () => {},
});
