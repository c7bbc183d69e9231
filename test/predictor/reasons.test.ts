/** Why nothing was found: the lock, queue or order that keeps correct programs correct is named. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS } from '../../data/run.ts';
import { predict } from '../../predictor/predict.ts';
import { discoverHarnesses } from '../../rescheduler/subjects/discover.ts';

const cwd = fileURLToPath(new URL('../../', import.meta.url));

const REASONS: Readonly<Record<string, readonly RegExp[]>> = {
  bank: [/^both hold Mutex@harnesses\/catalogue\/bank\.ts:\d+$/],
  'limited-exports': [/^both hold p-limit\(1\)@harnesses\/catalogue\/limited-exports\.ts:\d+$/],
  'wrong-lock-key': [/^both hold AsyncLock\(acc-1\)@harnesses\/catalogue\/wrong-lock-key\.ts:\d+$/],
  turnstile: [/^nothing comes between two accesses of one turn$/],
  outbox: [/^one cannot begin before the other is over$/],
};

describe('reasons', () => {
  for (const [name, expected] of Object.entries(REASONS))
    it(`${name}/ok`, async () => {
      const subjects = await discoverHarnesses([`${cwd}harnesses/catalogue/${name}.ts`], { cwd });
      const ok = subjects.find((subject) => subject.name === `${name}/ok`);
      assert.ok(ok);
      try {
        const { trace } = await ok.record({ limits: DEFAULT_LIMITS });
        const { stats, schedules } = predict(trace, { loop: DEFAULT_LIMITS });
        assert.deepEqual(schedules, []);
        const reasons = Object.keys(stats.reasons);
        assert.equal(reasons.length, expected.length, reasons.join(', '));
        for (const [i, pattern] of expected.entries()) assert.match(reasons[i] ?? '', pattern);
        // Nothing is left over: every pair is accounted for.
        const kept = Object.values(stats.reasons).reduce((sum, count) => sum + count, 0);
        assert.equal(kept + stats.left, stats.pairs);
      } finally {
        for (const subject of subjects) await subject.close();
      }
    });
});
