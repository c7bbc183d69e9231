/** Answers of name servers share a turn, or do not; either is followed where it has been seen. */
import assert from 'node:assert/strict';
import dns from 'node:dns';
import fs from 'node:fs';
import { it } from 'node:test';
import { DirectedStrategy } from '../../../rescheduler/strategies/directed.ts';
import { ObservedStrategy } from '../../../rescheduler/strategies/observed.ts';
import { PrefixStrategy } from '../../../rescheduler/strategies/prefix.ts';
import { RandomStrategy } from '../../../rescheduler/strategies/random.ts';
import type { Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { gated } from './support.ts';

/** Asks a name server that is not there; calls back when it has answered. Who asks it twice knows that in the call. */
type Ask = (name: string, told: () => void) => void;

const ways: Record<string, Ask> = {
  callbacks: (name, told) => {
    const resolver = new dns.Resolver();
    resolver.setServers(['127.0.0.1:1']);
    resolver.resolve4(name, told);
  },
  promises: (name, told) => {
    const resolver = new dns.promises.Resolver();
    resolver.setServers(['127.0.0.1:1']);
    resolver.resolve4(name).catch(told);
  },
};

/** Two questions, and the ticks that the answers leave. */
async function told(question: Ask, strategy: Strategy) {
  const words: string[] = [];
  const { steps } = await gated(
    async () => {
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

for (const [way, question] of Object.entries(ways))
  it(`${way}: random orders have both, and what shared a turn is taken again`, async () => {
    const found = new Map<string, readonly string[]>();
    for (let seed = 1; seed <= 60; seed++) {
      const { words, steps } = await told(question, new RandomStrategy(seed));
      found.set(words, steps);
    }
    assert.ok(found.has(APART), [...found.keys()].join('; '));
    const steps = found.get(TOGETHER);
    assert.ok(steps, [...found.keys()].join('; '));
    for (const strategy of [new PrefixStrategy(steps), new DirectedStrategy(steps, new ObservedStrategy())])
      assert.equal((await told(question, strategy)).words, TOGETHER);
  });

/** In the callback of one answer something is asked that needs no name server: what is told in one random order. */
async function within(seed: number, ticks: boolean): Promise<string> {
  const words: string[] = [];
  const ask = (told: () => void): void => dns.resolve4('no..name', told);
  await gated(
    () =>
      new Promise<void>((resolve) => {
        let left = 2;
        const tell = (word: string) => (): void => {
          words.push(word);
          if (--left === 0) resolve();
        };
        ask(() => {
          setImmediate(tell('immediate'));
          if (ticks) process.nextTick(() => words.push('tick'));
          ask(tell('answer'));
        });
      }),
    { strategy: new RandomStrategy(seed) },
  );
  return words.join(', ');
}

it('what is asked in the callback of an answer, and known in the call, comes before any immediate', async () => {
  for (let seed = 1; seed <= 20; seed++) assert.equal(await within(seed, false), 'answer, immediate');
});

it('but not behind ticks that Node runs behind it', async () => {
  for (let seed = 1; seed <= 20; seed++) assert.equal(await within(seed, true), 'tick, immediate, answer');
});

/** Where something is asked that is known in the call. */
const places: Record<string, (ask: () => void) => void> = {
  'a poll phase': (ask) => void fs.stat('.', ask),
  'a timers phase': (ask) => void setTimeout(ask, 1),
  'a check phase': (ask) => void setImmediate(ask),
};

for (const [place, begin] of Object.entries(places))
  it(`what is known in a call of ${place} comes before all that the next check phase precedes`, async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const words: string[] = [];
      await gated(
        () =>
          new Promise<void>((resolve) => {
            let left = 3;
            const tell = (word: string) => (): void => {
              words.push(word);
              if (--left === 0) resolve();
            };
            begin(() => {
              setImmediate(tell('immediate'));
              dns.resolve4('no..name', tell('answer'));
              // An answer of the poll phase in between may precede it, but not what that asks for.
              fs.stat('.', () => fs.stat('.', tell('stat')));
            });
          }),
        { strategy: new RandomStrategy(seed) },
      );
      assert.match(words.join(', '), /^answer, immediate/);
    }
  });
