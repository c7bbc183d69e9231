// Three tasks, each four times a read, an await and a write, with delays of their own.
import { setTimeout as sleep } from 'node:timers/promises';

const add = (ms) => async (state) => {
  for (let i = 0; i < 4; i++) {
    const before = state.balance;
    await sleep(ms);
    state.balance = before + 1;
  }
};

globalThis[Symbol.for('unweave.harnesses')].push({
  name: 'forced',
  setup: () => ({ balance: 0 }),
  tasks: { a: add(1), b: add(2), c: add(3) },
  check: () => {},
});
