/** Functions that are turned into text and evaluated elsewhere. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runInNewContext, runInThisContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { patchToString } from '../../../monitor/runtime/index.ts';
import { prepare } from '../instrument/helpers.ts';

patchToString();

const SOURCE = `(() => {
  let n = 0;
  class Counter { #x = 1; add(o) { this.#x += o.k; return [1, 2].map((i) => i + this.#x) } }
  async function later(o, m) { n++; m.set(o.k, await o.v); return o.k + 1 }
  const arrow = (o) => o.a.b;
  const pattern = async ({ a }, [b, { c }] = []) => a + b + c;
  return { Counter, later, arrow, pattern, method(o) { o.k = 2; return o } };
})`;
const functions = runInThisContext(prepare(SOURCE, { file: 's.js' }).code)();

suite('text of functions', () => {
  test('is what the user wrote', () => {
    assert.equal(String(functions.arrow), '(o) => o.a.b');
    assert.equal(String(functions.pattern), 'async ({ a }, [b, { c }] = []) => a + b + c');
    assert.equal(`${functions.method}`, 'method(o) { o.k = 2; return o }');
    assert.equal(
      functions.later.toString(),
      'async function later(o, m) { n++; m.set(o.k, await o.v); return o.k + 1 }',
    );
    assert.equal(
      Function.prototype.toString.call(functions.Counter),
      'class Counter { #x = 1; add(o) { this.#x += o.k; return [1, 2].map((i) => i + this.#x) } }',
    );
  });

  test('native functions and the patch itself look native', () => {
    assert.match(String(Function.prototype.toString), /^function toString\(\) \{ \[native code\] \}$/);
    assert.match(String(Math.max), /native code/);
    assert.throws(() => Function.prototype.toString.call({}), TypeError);
    assert.equal(Function.prototype.toString.name, 'toString');
    assert.equal(Function.prototype.toString.length, 0);
    assert.throws(() => new (Function.prototype.toString as any)(), TypeError);
  });

  test('runs through new Function', () => {
    const made = new Function(`return ${functions.arrow}`)();
    assert.equal(made({ a: { b: 3 } }), 3);
  });

  test('runs in another context', () => {
    assert.equal(runInNewContext(`(${functions.arrow})({ a: { b: 4 } })`), 4);
  });

  test('runs in a worker', async () => {
    const text = `require('worker_threads').parentPort.postMessage((${functions.arrow})({ a: { b: 5 } }))`;
    const worker = new Worker(text, { eval: true, execArgv: [] });
    const answer = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    await worker.terminate();
    assert.equal(answer, 5);
  });
});
