/** Names of entities. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runtime } from '../../../monitor/runtime/index.ts';
import { watch } from '../instrument/helpers.ts';

suite('names of entities', () => {
  test('fields by class, elements by where the collection was made', async () => {
    const { events } = await watch(`
      class Cart { items = []; byId = new Map() }
      const cart = new Cart();
      cart.items.push(1);
      cart.byId.set('a', 1);
      cart.byId.set(cart, 2);
      const state = { n: 0 };
      state.n++;
    `);
    assert.deepEqual(events, [
      'R Cart#items',
      'W Array@a.js:2[0]',
      'W Array@a.js:2#length',
      'R Cart#byId',
      'W Map@a.js:2[a]',
      'W Map@a.js:2#size',
      'R Cart#byId',
      'W Map@a.js:2[object]',
      'W Map@a.js:2#size',
      'R Object@a.js:7#n',
      'W Object@a.js:7#n',
    ]);
  });

  test('no getter and no trap runs for a name', () => {
    const trap = () => assert.fail('trap');
    const guarded = new Proxy({}, { get: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap });
    const lazy = Object.create({
      get constructor() {
        return assert.fail('getter');
      },
    });
    assert.equal(runtime.entityName(guarded, 'x'), 'Proxy#x');
    assert.equal(runtime.entityName(lazy, 'x'), 'Object#x');
    assert.equal(runtime.entityName(Object.create(guarded), 'x'), 'Proxy#x');
    assert.equal(runtime.entityName(Object.create(null), 'x'), 'Object#x');
  });

  test('keys made by chance do not show', () => {
    for (const key of [
      '0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9',
      '9f86d081884c7d659a2feaa0c55ad015',
      'V1StGXR8_Z5jdHi6B-myT',
    ]) {
      assert.equal(runtime.entityName({}, key), 'Object#<id>');
      assert.equal(runtime.entityName(new Map(), key), 'Map[<id>]');
    }
    for (const key of ['user-12345-profile-v2', 'deadbeef', '1234567890123456', 'getUserByEmailAddress'])
      assert.equal(runtime.entityName({}, key), `Object#${key}`);
  });

  test('kinds', () => {
    assert.equal(runtime.entityKind({}, 'x'), 'property');
    assert.equal(runtime.entityKind({}, null), 'opaque');
    assert.equal(runtime.entityKind(new Map(), 'x'), 'element');
    assert.equal(runtime.entityKind(new Map(), 'size'), 'property');
    assert.equal(runtime.entityKind(-5, 'x'), 'variable');
  });

  test('names do not depend on how many runs went before', async () => {
    const names = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const { events } = await watch('const list = []; for (let i = 0; i < 300; i++) ({ i }); list.push(1)');
      names.add(events.at(-1)!);
    }
    assert.equal(names.size, 1);
  });
});
