/** Lock adapters of the user for threads: in programs that start their workers, and in harnesses. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import { defaultConfig, type LoaderConfig } from '../../../monitor/loader/config.ts';
import { adaptLock } from '../../../monitor/threads/api.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';
import { ThreadSubject } from '../../../rescheduler/tokens/subject.ts';
import { temporary } from '../../temporary.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROJECT = fileURLToPath(new URL('../../projects/workers', import.meta.url));
const HARNESS = fileURLToPath(new URL('./fixtures/locked.ts', import.meta.url));
const dir = temporary('unweave-thread-locks');

const plain = { ...defaultConfig(PROJECT), cacheDir: join(dir, 'cache') };
const taught = { ...plain, locks: [pathToFileURL(join(PROJECT, 'unweave/spin-lock.js')).href] };
const options = { watchdogMs: 60_000 };

async function program(config: LoaderConfig): Promise<ThreadTrace> {
  const argv = [join(PROJECT, 'locked.js')];
  const recipe = { execPath: process.execPath, execArgv: [], argv, cwd: PROJECT, runner: false, env: {} };
  const { ran, trace } = await new ProgramSubject(recipe, null, null, config).execute(
    { kind: 'observed' },
    options,
  );
  assert.deepEqual([ran.outcome, ran.failure], ['pass', null]);
  return trace!;
}

async function harness(config: LoaderConfig): Promise<ThreadTrace> {
  const subject = new ThreadSubject(HARNESS, 'locked', { ...config, cwd: ROOT });
  const { ran, trace } = await subject.execute({ kind: 'observed' }, options, true);
  await subject.close();
  assert.deepEqual([ran.outcome, ran.failure], ['pass', null]);
  return trace!;
}

const onTotal = (trace: ThreadTrace): number =>
  forcibleCutPoints(trace, newTally()).filter(({ entity }) => entity === 'total').length;
const locks = ({ events }: ThreadTrace): number[] =>
  [...events.op].filter((op) => op === Op.Acquire || op === Op.Release);

describe('a lock of the program that an adapter teaches', () => {
  for (const [what, record] of Object.entries({ program, harness }))
    it(`excludes in a ${what}, where untaught it only costs schedules`, async () => {
      const [without, within] = [await record(plain), await record(taught)];
      assert.deepEqual(locks(without), []);
      assert.ok(onTotal(without) > 0);
      assert.deepEqual(locks(within), [Op.Acquire, Op.Release, Op.Acquire, Op.Release]);
      assert.equal(onTotal(within), 0);
      assert.deepEqual(within.names.locks, ['SpinLock']);
    });

  it('is refused in one line where the class is another one than was thought', () => {
    class Lock {
      lock() {}
    }
    assert.throws(
      () => adaptLock(Lock, { acquire: ['take'] }),
      /^TypeError: adaptLock: Lock has no method take$/,
    );
    adaptLock(Lock, { acquire: ['lock'] });
    assert.throws(() => new Lock().lock(), /no property of Lock is shared memory: give its place$/);
  });
});
