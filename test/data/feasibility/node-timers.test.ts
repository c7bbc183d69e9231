/** The order of timers that are put off, taken back, repeated and started in ticks, against Node's own algorithm. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generator } from '../../../data/generator.ts';
import { canShow, observe, orderOf, refusedAt, scriptOf } from './node-script.ts';
import type { Script } from './node-timers.ts';

const KINDS = ['timer', 'timer', 'timer', 'interval', 'immediate', 'answer'] as const;
/** So many runs of Node are tried for an order. */
const RUNS = 20_000;

const chance = (seed: number) => {
  const random = generator(seed);
  return (n: number): number => Math.floor(random() * n);
};

describe("Node's lists of timers", () => {
  it('show no order that the model forbids', () => {
    let orders = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const int = chance(seed);
      const script = scriptOf(2 + int(6), int, KINDS);
      for (let run = 0; run < 20; run++) {
        // The clock mostly stands still.
        const order = observe(script, (n) => (int(3) > 0 ? 0 : int(n)));
        assert.equal(refusedAt(script, order), -1, JSON.stringify({ seed, order, script }));
        orders += 1;
      }
    }
    assert.equal(orders, 3000);
  });

  it('show whatever the model allows', () => {
    let shown = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const int = chance(seed);
      const script = scriptOf(2 + int(3), int, ['timer']);
      for (let run = 0; run < 3; run++) {
        const order = orderOf(script, int);
        const can = canShow(script, order, RUNS);
        assert.notEqual(can, false, JSON.stringify({ seed, order, script }));
        if (can) shown += 1;
      }
    }
    assert.ok(shown > 400, String(shown));
  });

  const timer = (delay: number, ref = true) => ({ kind: 'timer' as const, delay, ref });
  const start = (item: number, ticking = false) => ({ what: 'start' as const, item, ticking });

  /** Scripts of one idea each: orders that Node shows, and ones that it cannot show. */
  const table: readonly {
    readonly what: string;
    readonly script: Script;
    readonly shown: readonly (readonly number[])[];
    readonly never: readonly (readonly number[])[];
  }[] = [
    {
      what: 'a list that was taken back had not expired before',
      // The second takes the first back. The third began before the second, and the fourth expires in 20 ms.
      script: {
        items: [timer(10), timer(8), timer(9), timer(20)],
        first: [start(0), start(3), start(2), start(1)],
        then: [[], [{ what: 'clear', item: 0, ticking: false }], [], []],
      },
      shown: [[1, 2, 3]],
      never: [[1, 3, 2]],
    },
    {
      what: 'what is put off in a tick, when it was due, fires all the same',
      script: {
        items: [timer(2), timer(2), timer(3)],
        first: [start(0), start(1), start(2)],
        then: [
          [
            { what: 'refresh', item: 1, ticking: true },
            { what: 'refresh', item: 1, ticking: true },
          ],
          [],
          [],
        ],
      },
      shown: [
        [0, 1, 2],
        [0, 2, 1],
      ],
      never: [
        [1, 0, 2],
        [2, 0, 1],
      ],
    },
    {
      what: 'an interval expires by the time before its callback, but stands behind what that started',
      script: {
        items: [{ kind: 'interval', delay: 4, ref: true }, timer(4), timer(3)],
        first: [start(0)],
        then: [[start(1), start(2)], [], []],
      },
      shown: [
        [0, 2, 1, 0],
        [0, 1, 0, 2],
      ],
      never: [[0, 0, 1, 2]],
    },
  ];
  for (const { what, script, shown, never } of table)
    it(what, () => {
      for (const order of shown) {
        assert.equal(canShow(script, order, 1e6), true, String(order));
        assert.equal(refusedAt(script, order), -1, String(order));
      }
      for (const order of never) {
        assert.notEqual(canShow(script, order, RUNS), true, String(order));
        assert.notEqual(refusedAt(script, order), -1, String(order));
      }
    });
});
