/** Answers of name servers share a turn, or do not; either is followed where it has been seen. */
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { it } from 'node:test';
import { DirectedStrategy } from '../../../rescheduler/strategies/directed.ts';
import { ObservedStrategy } from '../../../rescheduler/strategies/observed.ts';
import { PrefixStrategy } from '../../../rescheduler/strategies/prefix.ts';
import { RandomStrategy } from '../../../rescheduler/strategies/random.ts';
import type { Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { gated } from './support.ts';

/** Asks a name server that is not there; calls back when it has answered. */
type Ask = (name: string, told: () => void) => void;

const ways: Record<string, () => Ask> = {
  callbacks: () => {
    const resolver = new dns.Resolver();
    resolver.setServers(['127.0.0.1:1']);
    return (name, told) => resolver.resolve4(name, told);
  },
  promises: () => {
    const resolver = new dns.promises.Resolver();
    resolver.setServers(['127.0.0.1:1']);
    return (name, told) => void resolver.resolve4(name).catch(told);
  },
};

/** Two questions, and the ticks that the answers leave. */
async function told(make: () => Ask, strategy: Strategy) {
  const words: string[] = [];
  const { steps } = await gated(
    async () => {
      const question = make();
      const ask = (name: string) =>
        new Promise<void>((resolve) => {
          question(`${name}.test`, () => {
            words.push(name);
            process.nextTick(() => {
              words.push(`tick of ${name}`);
              resolve();
            });
          });
        });
      await Promise.all([ask('a'), ask('b')]);
    },
    { strategy },
  );
  return { words: words.join(', '), steps };
}

const TOGETHER = 'a, b, tick of a, tick of b';
const APART = 'a, tick of a, b, tick of b';

for (const [way, make] of Object.entries(ways))
  it(`${way}: random orders have both, and what shared a turn is taken again`, async () => {
    const found = new Map<string, readonly string[]>();
    for (let seed = 1; seed <= 60; seed++) {
      const { words, steps } = await told(make, new RandomStrategy(seed));
      found.set(words, steps);
    }
    assert.ok(found.has(APART), [...found.keys()].join('; '));
    const steps = found.get(TOGETHER);
    assert.ok(steps, [...found.keys()].join('; '));
    for (const strategy of [new PrefixStrategy(steps), new DirectedStrategy(steps, new ObservedStrategy())])
      assert.equal((await told(make, strategy)).words, TOGETHER);
  });
