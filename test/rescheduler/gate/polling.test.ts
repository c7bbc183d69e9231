/** Programs that look again and again, without waiting in between, until a timer or the clock has moved. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { gated, limits } from './support.ts';

const LOOKS: Readonly<Record<string, () => Promise<unknown>>> = {
  immediates: () => new Promise((resolve) => setImmediate(resolve)),
  'answers of files': () => stat('.'),
};

describe('a program that polls', () => {
  for (const [what, look] of Object.entries(LOOKS)) {
    for (const ms of [50, 1500]) {
      it(`by ${what} for a timer of ${ms} ms comes to its end`, async () => {
        const { requiredPauseMs, status, steps } = await gated(
          async () => {
            let done = false;
            setTimeout(() => {
              done = true;
            }, ms);
            while (!done) await look();
          },
          { limits: { ...limits, watchdogMs: 60_000 } },
        );
        assert.equal(status, 'ok');
        assert.ok(requiredPauseMs <= 1, 'nothing pauses');
        if (what === 'immediates') assert.ok(steps.length < 10_000, `${steps.length} steps`);
      });
    }

    it(`by ${what} for the clock to be 50 ms further comes to its end`, async () => {
      const { status } = await gated(
        async () => {
          const end = Date.now() + 50;
          while (Date.now() < end) await look();
        },
        { limits: { ...limits, watchdogMs: 60_000 } },
      );
      assert.equal(status, 'ok');
    });
  }

  it('by answers of files beside an interval comes to its end as soon as beside a timer', async () => {
    const { status, steps } = await gated(
      async () => {
        let ticks = 0;
        const interval = setInterval(() => {
          ticks += 1;
        }, 1);
        while (ticks < 30) await stat('.');
        clearInterval(interval);
      },
      { limits: { ...limits, watchdogMs: 60_000 } },
    );
    assert.equal(status, 'ok');
    assert.ok(steps.length < 6000, `${steps.length} steps`);
  });
});
