/** Which activation an access belongs to, and what it is called. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import { type Frame, runtime } from '../../../monitor/runtime/index.ts';
import { prepare } from '../instrument/helpers.ts';

/** Runs a body of an async function that calls `at(label)`; gives the frame of each label. */
async function frames(
  body: string,
  start?: (run: () => unknown) => unknown,
): Promise<Map<string, Frame | null>> {
  const seen = new Map<string, Frame | null>();
  const at = (label: string) => void seen.set(label, runtime.cur);
  const { code } = prepare(`(async function main(at, sleep, EventEmitter) {${body}\n})`, { file: 'f.js' });
  runtime.beginRun();
  const main = runInThisContext(code);
  const run = () => main(at, sleep, EventEmitter);
  await (start ?? ((go: () => unknown) => go()))(run);
  await sleep(5);
  assert.equal(runtime.cur, null);
  return seen;
}

/** Label and path. */
async function paths(body: string): Promise<Record<string, string | undefined>> {
  return Object.fromEntries([...(await frames(body))].map(([label, frame]) => [label, frame?.path]));
}

suite('paths', () => {
  test('calls of async functions are numbered per name', async () => {
    const seen = await paths(
      'async function f(x) { await null; at(x) } async function g() { at("g") } await Promise.all([f("a"), f("b"), g()])',
    );
    assert.deepEqual(seen, {
      g: 'root.main#0.g#0',
      a: 'root.main#0.f#0',
      b: 'root.main#0.f#1',
    });
  });

  test('methods carry their own name', async () => {
    const seen = await paths('class A { async go() { await null; at("go") } } await new A().go()');
    assert.deepEqual(seen, { go: 'root.main#0.go#0' });
  });

  test('callbacks without a name carry that of the call and their place', async () => {
    const seen = await paths('setTimeout(() => at("timer"), 1); await sleep(5)');
    assert.deepEqual(seen, { timer: 'root.main#0.setTimeout@1:59#0' });
  });

  test('very long paths are folded, and stay different', async () => {
    const seen = await frames(
      'async function deep(n, x) { if (n === 0) at(x); else await deep(n - 1, x) } await deep(300, "a"); await deep(300, "b")',
    );
    const [a, b] = [seen.get('a')!.path, seen.get('b')!.path];
    assert.ok(a.length < 700);
    assert.notEqual(a, b);
  });
});

suite('who is current', () => {
  const CASES: readonly [string, string, Record<string, string>][] = [
    [
      'after await, in catch, in finally, after them',
      'await null; at("1"); try { await Promise.reject(1) } catch { at("2") } finally { at("3") } at("4")',
      { 1: 'main', 2: 'main', 3: 'main', 4: 'main' },
    ],
    [
      'in helpers, getters and sync generators',
      'await null; (() => at("1"))(); [1].map(() => at("2")); ({ get x() { at("3"); return 1 } }).x; for (const _ of (function* () { at("4"); yield 1 })()) at("5")',
      { 1: 'main', 2: 'main', 3: 'main', 4: 'main', 5: 'main' },
    ],
    [
      'callbacks of promises run under who registered them',
      'await Promise.resolve().then(() => at("1")); const named = () => at("2"); await Promise.reject(1).catch(named)',
      { 1: 'then', 2: 'catch' },
    ],
    [
      'listeners that the task itself calls are the task',
      'const e = new EventEmitter(); e.on("x", () => at("1")); await null; e.emit("x")',
      { 1: 'main' },
    ],
    [
      'async generators are activations of their own',
      'async function* g() { at("1"); await null; at("2"); yield 1; at("3") } for await (const x of g()) at("4"); at("5")',
      { 1: 'g', 2: 'g', 3: 'g', 4: 'main', 5: 'main' },
    ],
    [
      'a generator that is left early',
      'async function* g() { try { yield 1; yield 2 } finally { at("1"); await null; at("2") } } for await (const x of g()) break; at("3")',
      { 1: 'g', 2: 'g', 3: 'main' },
    ],
    [
      'a generator that its consumer ends',
      'async function* g() { try { yield 1 } finally { at("1") } } const i = g(); await i.next(); const p = i.return(); at("2"); await p; at("3")',
      { 1: 'g', 2: 'main', 3: 'main' },
    ],
    [
      'microtasks and ticks',
      'await new Promise((r) => queueMicrotask(() => { at("1"); r() })); at("2"); await new Promise((r) => process.nextTick(() => { at("3"); r() })); at("4")',
      { 1: 'queueMicrotask@1', 2: 'main', 3: 'nextTick@1', 4: 'main' },
    ],
    [
      'a callee that throws',
      'async function f() { await null; at("1"); throw 1 } try { await f() } catch {} at("2"); f().catch(() => {}); at("3")',
      { 1: 'f', 2: 'main', 3: 'main' },
    ],
  ];
  for (const [title, body, expected] of CASES) {
    test(title, async () => {
      const seen = [...(await frames(body))].map(([label, frame]) => [
        label,
        frame?.name.split(':')[0] ?? 'nobody',
      ]);
      assert.deepEqual(Object.fromEntries(seen), expected);
    });
  }
});

suite('joined', () => {
  const CASES: readonly [string, string, boolean][] = [
    ['awaited in place', 'await f()', true],
    ['returned', 'return f()', true],
    ['awaited through a sync function', 'const via = () => f(); await via()', true],
    ['awaited with a handler', 'await f().catch(() => {})', true],
    ['awaited when needed', 'await (true && f())', true],
    ['not awaited', 'f(); await sleep(1)', false],
    ['awaited later', 'const p = f(); await p', false],
    ['a member of Promise.all', 'await Promise.all([f()])', false],
    ['started before another call is awaited', 'f(); await sleep(1)', false],
    ['an argument of the awaited call', 'const g = async (p) => { await p }; await g(f())', false],
  ];
  for (const [title, body, expected] of CASES) {
    test(title, async () => {
      const seen = await frames(`async function f() { at("f"); await null } ${body}`);
      assert.equal(seen.get('f')!.joined, expected);
    });
  }
});

suite('kinds', () => {
  test('the body of a test is its root, and operations of it are activations', async () => {
    let root: Frame | null = null;
    const seen = await frames(
      'at("body"); function op() { sleep(1); at("op") } op(); await null; at("later"); async function f() { at("f") } await f()',
      (run) => {
        root = runtime.root;
        return runtime.runAsBody(root, run);
      },
    );
    assert.equal(seen.get('body'), root);
    assert.equal(seen.get('later'), root);
    assert.equal(seen.get('op')!.kind, 'sync');
    assert.equal(seen.get('op')!.path, 'root.op#0');
    assert.equal(seen.get('f')!.kind, 'async');
    assert.equal(seen.get('f')!.parent, root);
  });

  test('the function of a task is the task', async () => {
    const seen = await frames('await null; at("task")', (run) =>
      runtime.runAsBody(runtime.taskFrame('deposit'), run),
    );
    assert.equal(seen.get('task')!.path, 'root.deposit');
    assert.equal(seen.get('task')!.kind, 'task');
  });

  test('a delivery is an activation named by its request', () => {
    runtime.beginRun();
    const request = { api: 'fs.stat', name: 'root.a#0:fs.stat#0', frame: null, site: -1 };
    const frame = runtime.frames.deliveryFrame(request);
    assert.equal(frame.path, 'root.a#0:fs.stat#0!');
    assert.equal(frame.kind, 'callback');
    assert.equal(frame.parent, runtime.root);
    assert.equal(
      runtime.frames.runAs(frame, () => runtime.frames.cur()),
      frame,
    );
    assert.equal(runtime.frames.cur(), null);
  });
});

suite('the word of the user', () => {
  const CASES: readonly [string, string, boolean | null][] = [
    ['nothing said', 'async function f() { at("f") }', null],
    ['before the function', '/* unweave: atomic */ async function f() { at("f") }', true],
    ['in its head', 'async function f() { /* unweave: not-atomic */ at("f") }', false],
    ['before its body', 'async function f() /* unweave: atomic */ { at("f") }', true],
    ['before a constant', '// unweave: not-atomic\nconst f = async () => { at("f") }', false],
    ['before another statement', '/* unweave: atomic */ void 0; async function f() { at("f") }', null],
  ];
  for (const [title, declaration, expected] of CASES) {
    test(title, async () => {
      const seen = await frames(`${declaration}\nawait f()`);
      assert.equal(seen.get('f')!.atomic, expected);
    });
  }
});
