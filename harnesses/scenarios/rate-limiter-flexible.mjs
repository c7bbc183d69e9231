// Three requests of one client in a minute.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { scenario } from 'unweave';

const points = (result) => ({ left: result.remainingPoints, used: result.consumedPoints });

scenario({
  name: 'rate-limiter-flexible',
  async setup() {
    const limiter = new RateLimiterMemory({ points: 3, duration: 60 });
    await limiter.consume('ann', 1);
    return limiter;
  },
  operations: {
    consume: {
      run: async (limiter, key, n) => points(await limiter.consume(key, n).catch((refused) => refused)),
      args: [
        ['ann', 1],
        ['ann', 2],
        ['bob', 1],
      ],
    },
    penalty: { run: async (limiter, key) => points(await limiter.penalty(key, 1)), args: [['ann'], ['bob']] },
    reward: { run: async (limiter, key) => points(await limiter.reward(key, 1)), args: [['ann'], ['bob']] },
    block: { run: async (limiter, key) => points(await limiter.block(key, 30)), args: [['ann'], ['bob']] },
    delete: { run: (limiter, key) => limiter.delete(key), args: [['ann'], ['bob']] },
    get: {
      run: async (limiter, key) => {
        const known = await limiter.get(key);
        return known && points(known);
      },
      args: [['ann'], ['bob']],
      reads: true,
    },
  },
});
