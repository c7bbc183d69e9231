// Two tasks, each a read, an await and a write.
import { setTimeout as sleep } from 'node:timers/promises';

const add = async (state) => {
  const before = state.balance;
  await sleep(1);
  state.balance = before + 1;
};

// What `harness()` does; the module stays free of other imports.
globalThis[Symbol.for('unweave.harnesses')].push({
  name: 'forced',
  setup: () => ({ balance: 0 }),
  tasks: { a: add, b: add },
  check: () => {},
});
