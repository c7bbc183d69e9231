/** Who counts what runs, as nyc does, is handed the instrumented text: nothing that never runs is put in to be counted. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { prepare } from './helpers.ts';

/** It comes with Jest and has no types. */
const { createInstrumenter } = createRequire(import.meta.url)('istanbul-lib-instrument') as {
  createInstrumenter(options: object): { instrumentSync(code: string, file: string): string };
};

const PROGRAM = `
class Box {
  constructor() { this.n = 0; this.fn = null; }
  async add(x) {
    if (x > 1) { this.n += x; } else { this.n -= x; }
    for await (const k of ['a', 'b']) this[k] = await k.length;
    const { n, fn, more = 1 } = this;
    return fn?.(n) ?? n;
  }
  get(k) { return this[k] ?? 'none'; }
  run(cb) { try { return cb(this); } catch (e) { return e.message; } finally { this.ran = true; } }
  static *each() { yield* [1, 2]; }
}
exports.Box = Box;
exports.done = (async () => {
  const box = new Box();
  await Promise.all([1, 2].map((x) => box.add(x)).map((p) => p.then((n) => n)));
  box.fn = (n) => n;
  await box.add(2);
  [box.get('n'), box.get('z'), box.run(() => 1), box.run(() => { throw new Error('x'); }), ...Box.each()];
})();`;

interface Counted {
  readonly s: Readonly<Record<string, number>>;
  readonly f: Readonly<Record<string, number>>;
  readonly b: Readonly<Record<string, readonly number[]>>;
}

async function neverRun(code: string): Promise<string[]> {
  const counted = createInstrumenter({ coverageVariable: '__counted', esModules: false });
  const text = counted.instrumentSync(code, 'box.js');
  const exports: { done?: Promise<void> } = {};
  runInThisContext(`(function (exports, require) {${text}\n})`)(exports, createRequire(import.meta.url));
  await exports.done;
  const all = globalThis as unknown as { __counted: Record<string, Counted> };
  const { s, f, b } = all.__counted['box.js']!;
  delete all.__counted['box.js'];
  const none = (kind: string, counts: Readonly<Record<string, number | readonly number[]>>) =>
    Object.entries(counts).flatMap(([id, count]) => ([count].flat().includes(0) ? [`${kind} ${id}`] : []));
  return [...none('statement', s), ...none('function', f), ...none('branch', b)];
}

test('a program of which everything runs is one when it is instrumented', async () => {
  assert.deepEqual(await neverRun(PROGRAM), []);
  assert.deepEqual(await neverRun(prepare(PROGRAM).code), []);
});
