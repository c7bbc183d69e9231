// Connections that are made and closed with some delay.
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from 'generic-pool';
import { scenario } from 'unweave';

scenario({
  name: 'generic-pool',
  setup() {
    const it = { made: 0, closed: 0, open: 0, most: 0 };
    it.pool = createPool(
      {
        async create() {
          it.made += 1;
          it.open += 1;
          it.most = Math.max(it.most, it.open);
          await sleep(2);
          return { used: 0 };
        },
        async destroy() {
          await sleep(1);
          it.closed += 1;
          it.open -= 1;
        },
        validate: async (connection) => connection.used < 3,
      },
      { max: 1, min: 0, testOnBorrow: true },
    );
    return it;
  },
  operations: {
    use: {
      run: ({ pool }) =>
        pool.use(async (connection) => {
          connection.used += 1;
          await sleep(1);
          return connection.used;
        }),
    },
    useAndDestroy: {
      run: async ({ pool }) => {
        const connection = await pool.acquire();
        connection.used += 1;
        await pool.destroy(connection);
      },
    },
    clear: { run: ({ pool }) => pool.clear(), result: 'ignore' },
    close: {
      run: async ({ pool }) => {
        await pool.drain();
        await pool.clear();
      },
      last: true,
      result: 'ignore',
    },
  },
  observe: ({ most, open, pool }) => ({
    most,
    isTold: pool.size === open,
    borrowed: pool.borrowed,
    pending: pool.pending,
  }),
});
