// Transfers under a mutex, and somebody who waits for it to be free.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from 'async-mutex';
import { scenario } from 'unweave';

scenario({
  name: 'async-mutex',
  setup: ({ dir }) => ({
    journal: join(dir, 'journal'),
    mutex: new Mutex(),
    balance: { ann: 100, bob: 100 },
  }),
  operations: {
    transfer: {
      run: ({ mutex, balance, journal }, from, to) =>
        mutex.runExclusive(async () => {
          balance[from] -= 10;
          await appendFile(journal, `${from} -> ${to}\n`);
          balance[to] += 10;
        }),
      args: [
        ['ann', 'bob'],
        ['bob', 'ann'],
      ],
    },
    total: {
      async run({ mutex, balance }) {
        await mutex.waitForUnlock();
        return balance.ann + balance.bob;
      },
      reads: true,
    },
  },
});
