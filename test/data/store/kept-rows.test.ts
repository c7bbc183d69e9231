/** What a connection keeps, and when it commits: another one, or a failure, makes no difference to what is read. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '../../../data/store/index.ts';
import { folder, makeTrace, newTest } from './support.ts';

const [FIRST, SECOND] = [makeTrace(100, 1), makeTrace(200, 2, 30)];

/** Two connections to one store with one trace, which the first has read. */
function pair(): { own: Store; other: Store; [Symbol.dispose](): void } {
  const path = join(folder(), 'trace.db');
  const own = openStore(path, { create: true });
  own.putTest(newTest('a'));
  own.putTrace('a', FIRST);
  assert.deepEqual(own.getTrace('a'), FIRST);
  const other = openStore(path);
  return {
    own,
    other,
    [Symbol.dispose]() {
      own.close();
      other.close();
    },
  };
}

describe('a trace that was read', () => {
  it('is not read again', () => {
    using stores = pair();
    assert.equal(stores.own.getTrace('a'), stores.own.getTrace('a'));
  });

  it('is read again where it was recorded anew, here or by another', () => {
    using stores = pair();
    stores.own.putTrace('a', SECOND);
    assert.deepEqual(stores.own.getTrace('a'), SECOND);
    stores.other.putTrace('a', FIRST);
    assert.deepEqual(stores.own.getTrace('a'), FIRST);
  });

  it('is gone with its test', () => {
    using stores = pair();
    stores.own.removeTest('a');
    assert.equal(stores.own.getTrace('a'), null);
  });

  it('is the earlier one where the later one was not committed', () => {
    using stores = pair();
    const { own } = stores;
    const write = (): void => {
      own.putTrace('a', SECOND);
      assert.deepEqual(own.getTrace('a'), SECOND);
      throw new TypeError('on the way');
    };
    assert.throws(() => own.atomically(write), /on the way/);
    assert.deepEqual(own.getTrace('a'), FIRST);
  });

  it('shares its program points with others, which another process may have replaced', () => {
    using stores = pair();
    const { own, other } = stores;
    other.clear();
    other.putTest(newTest('b'));
    other.putTrace('b', SECOND);
    own.putTest(newTest('c'));
    own.putTrace('c', FIRST);
    assert.deepEqual([own.getTrace('b'), own.getTrace('c')], [SECOND, FIRST]);
    assert.deepEqual([other.getTrace('b'), other.getTrace('c')], [SECOND, FIRST]);
  });
});

describe('writes in groups', () => {
  const names = (store: Store): string[] => store.tests().map(({ id }) => id);

  it('are committed together, and those of a transaction that fails are not', async () => {
    using stores = pair();
    const { own, other } = stores;
    await own.inGroups(async () => {
      own.putTest(newTest('b'));
      const fail = (): void => {
        own.putTest(newTest('c'));
        throw new TypeError('on the way');
      };
      assert.throws(() => own.atomically(fail), /on the way/);
      own.putTest(newTest('d'));
      assert.deepEqual(names(own), ['a', 'b', 'd']);
      assert.deepEqual(names(other), ['a']);
    });
    assert.deepEqual(names(other), ['a', 'b', 'd']);
  });

  it('are committed where the work fails, or the store is closed', async () => {
    using stores = pair();
    const { own, other } = stores;
    const failing = own.inGroups(async () => {
      own.putTest(newTest('b'));
      throw new TypeError('on the way');
    });
    await assert.rejects(failing, /on the way/);
    assert.deepEqual(names(other), ['a', 'b']);
    void own.inGroups(async () => {
      own.putTest(newTest('c'));
      await new Promise(() => {});
    });
    own.close();
    assert.deepEqual(names(other), ['a', 'b', 'c']);
  });

  it('wait for nothing that the work waits for', async () => {
    using stores = pair();
    const { own, other } = stores;
    await own.inGroups(async () => {
      own.putTest(newTest('b'));
      while (names(other).length === 1) await sleep(5);
    });
  });
});
