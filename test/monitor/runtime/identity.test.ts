/** Numbers of objects. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { birthplace, bornAt, idOf } from '../../../monitor/runtime/identity.ts';
import * as namespace from './identity-namespace.ts';

suite('identity', () => {
  test('an object keeps its number, another has another', () => {
    fc.assert(
      fc.property(fc.array(fc.object(), { minLength: 2 }), (objects) => {
        const ids = objects.map(idOf);
        assert.deepEqual(objects.map(idOf), ids);
        assert.equal(new Set(ids).size, new Set(objects).size);
      }),
      { numRuns: 50 },
    );
  });

  const odd: [string, object][] = [
    ['frozen', Object.freeze({ a: 1 })],
    ['sealed', Object.seal([])],
    ['without prototype', Object.create(null)],
    ['function', () => {}],
    ['revoked proxy', revoked()],
    ['module namespace', namespace],
    ['map', new Map()],
  ];
  for (const [title, object] of odd) {
    test(`${title}: has a number and looks as before`, () => {
      const keys = title === 'revoked proxy' ? null : Reflect.ownKeys(object);
      const id = idOf(object);
      assert.ok(id > 0);
      assert.equal(idOf(object), id);
      if (keys !== null) assert.deepEqual(Reflect.ownKeys(object), keys);
    });
  }

  test('a proxy and its target differ, and no trap runs', () => {
    const target = {};
    const proxy = new Proxy(target, {
      get: () => assert.fail('get'),
      has: () => assert.fail('has'),
      defineProperty: () => assert.fail('defineProperty'),
    });
    assert.notEqual(idOf(proxy), idOf(target));
  });

  test('the first birthplace counts', () => {
    const object = {};
    bornAt(object, 7);
    bornAt(object, 8);
    assert.equal(birthplace(object), 7);
    assert.equal(birthplace({}), -1);
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
