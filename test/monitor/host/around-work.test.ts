/** What hooks have asked the thread pool for is counted until it is answered, however it is answered; nothing else is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AroundWork } from '../../../monitor/host/around-work.ts';
import type { BegunBy } from '../../../monitor/host/controller.ts';

const asked = (by: BegunBy = 'around'): AroundWork => new AroundWork({ begunBy: () => by });

describe('work that is around a run', () => {
  it('is pending until its callback is called, once', () => {
    const around = asked();
    const answers: unknown[] = [];
    const req = { oncomplete: (...answer: unknown[]) => answers.push(answer, around.isPending) };
    around.callBack(req, 'oncomplete', () => {});
    assert.deepEqual([around.isPending, around.mayCome], [true, true]);
    req.oncomplete('a', 1);
    assert.deepEqual(answers, [['a', 1], false]);
    req.oncomplete('b');
    assert.deepEqual([around.isPending, around.mayCome], [false, false]);
  });

  it('is answered by the last argument of a call', () => {
    const around = asked();
    let answer: (value: number) => void = () => {};
    const given: unknown[] = [];
    around.callLast([1, (value: number) => given.push(value)], ([first, last]) => {
      assert.equal(first, 1);
      answer = last as typeof answer;
    });
    assert.equal(around.isPending, true);
    answer(7);
    assert.deepEqual([given, around.isPending], [[7], false]);
  });

  it('is answered by a promise, kept or broken', async () => {
    for (const end of ['resolve', 'reject'] as const) {
      const around = asked();
      const { promise, ...ends } = Promise.withResolvers<unknown>();
      assert.equal(
        around.promise(() => promise),
        promise,
      );
      promise.catch(() => {});
      assert.equal(around.isPending, true);
      ends[end](new Error('refused'));
      await promise.catch(() => {});
      assert.equal(around.isPending, false);
    }
  });

  it('is answered by what Node takes for a blob, which is no constructor', () => {
    const around = asked();
    let taken: { prototype?: unknown } = {};
    around.callLast([() => {}], ([last]) => {
      taken = last as typeof taken;
    });
    assert.equal('prototype' in taken, false);
  });

  it('is over where the call itself is refused', () => {
    const around = asked();
    const refuse = () => assert.fail('refused');
    assert.throws(() => around.callBack({ ondone: () => {} }, 'ondone', refuse), /refused/);
    assert.throws(() => around.callLast([() => {}], refuse), /refused/);
    assert.throws(() => around.promise(refuse), /refused/);
    assert.equal(around.isPending, false);
  });

  it('is pending while one of several is', () => {
    const around = asked();
    const over = [around.begin()!, around.begin()!];
    over[0]!();
    over[0]!();
    assert.equal(around.isPending, true);
    over[1]!();
    assert.equal(around.isPending, false);
  });

  it('is not what nobody answers, nor what the run or the tool asks for', () => {
    for (const by of ['us', 'run', 'earlier'] as const) {
      const around = asked(by);
      const req = { oncomplete: () => {} };
      const { oncomplete } = req;
      around.callBack(req, 'oncomplete', () => {});
      assert.deepEqual([req.oncomplete, around.begin(), around.isPending], [oncomplete, null, false]);
    }
    const around = asked();
    around.callBack({}, 'oncomplete', () => {});
    around.callLast([1], () => {});
    assert.equal(around.isPending, false);
  });
});
