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

/** Two questions to a name server that is not there, and the ticks that the answers leave. */
async function told(strategy: Strategy) {
  const words: string[] = [];
  const { steps } = await gated(
    async () => {
      const resolver = new dns.Resolver();
      resolver.setServers(['127.0.0.1:1']);
      const ask = (name: string) =>
        new Promise<void>((resolve) => {
          resolver.resolve4(`${name}.test`, () => {
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

it('random orders have both, and what shared a turn is taken again', async () => {
  const found = new Map<string, readonly string[]>();
  for (let seed = 1; seed <= 60; seed++) {
    const { words, steps } = await told(new RandomStrategy(seed));
    found.set(words, steps);
  }
  assert.ok(found.has(APART), [...found.keys()].join('; '));
  const steps = found.get(TOGETHER);
  assert.ok(steps, [...found.keys()].join('; '));
  for (const strategy of [new PrefixStrategy(steps), new DirectedStrategy(steps, new ObservedStrategy())])
    assert.equal((await told(strategy)).words, TOGETHER);
});
