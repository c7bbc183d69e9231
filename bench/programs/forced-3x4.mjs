// Three tasks, each four times a read, an await and a write.
import { setTimeout as sleep } from 'node:timers/promises';

const add = async (state) => {
  for (let i = 0; i < 4; i++) {
    const before = state.balance;
    await sleep(1);
    state.balance = before + 1;
  }
};

globalThis[Symbol.for('unweave.harnesses')].push({
  name: 'forced',
  setup: () => ({ balance: 0 }),
  tasks: { a: add, b: add, c: add },
  check: () => {},
});
