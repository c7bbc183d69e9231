/** Transactions of threads in instrumented text: what it computes stays, and all that is entered is left. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { instrument } from '../../../monitor/instrument/instrument.ts';
import { THREAD_RULES } from '../../../monitor/instrument/threads/index.ts';
import { Activations } from '../../../monitor/threads/activations.ts';
import type { Token } from '../../../monitor/threads/token.ts';

const nothing = (): void => {};

interface Ran {
  readonly value: unknown;
  /** Names of what was entered, `}` for what was left. */
  readonly log: string;
  /** Whose code called `where`. */
  readonly running: readonly string[];
}

/** Runs a script; its last value may be a promise. */
async function run(source: string): Promise<Ran> {
  const options = { file: 'a.js', kind: 'commonjs', typescript: false, firstSite: 0 } as const;
  const { code, sites } = instrument(source, options, THREAD_RULES);
  const log: string[] = [];
  let open = 0;
  const told = { opened: () => open++, closed: () => open-- } as unknown as Token;
  const activations = new Activations(told);
  const __cov = {
    enter: (site: number) => void log.push(sites[site]!.text),
    leave: () => void log.push('}'),
    ...{ sr: nothing, sw: nothing, su: nothing },
    ...activations.hooks,
  };
  const running: string[] = [];
  const where = (): void => {
    const { current } = activations;
    running.push(current ? `${sites[current.point]!.text} ${current.id}` : 'none');
  };
  const plain = await value(source, { where: nothing });
  const instrumented = await value(code, { __cov, where });
  assert.deepEqual(instrumented, plain);
  assert.equal(open, 0);
  return { value: plain, log: log.join(' '), running };
}

async function value(code: string, globals: object): Promise<unknown> {
  try {
    return JSON.stringify(await (runInNewContext(code, { exports: {}, ...globals }) as unknown));
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

describe('functions as transactions', () => {
  it('are those that may access something twice', async () => {
    const { log } = await run(`
      const one = (a) => a[0], other = (a, b) => a[0] + b[0], pure = (x) => Math.max(x, 1);
      const twice = (a) => a[0] + a[1], update = (a) => a[0]++, calls = () => one([1]);
      const loops = (a) => { let sum = 0; for (const i in a) sum += a[i]; return sum; };
      [one([1]), other([1], [2]), pure(1), twice([1, 2]), update([1]), calls(), loops([1, 2])]`);
    assert.equal(log, 'twice } update } calls } loops }');
  });

  it('are left however they end', async () => {
    const { log, value: thrown } = await run(`
      const f = (n) => { if (n === 0) throw new RangeError('no'); g(n); return 'done'; }, g = (n) => { f(n - 1); };
      f(1)`);
    assert.equal(thrown, 'RangeError: no');
    assert.equal(log, 'f g f } } }');
  });

  it('keep what they mean: this, arguments, constructors, hoisting, objects', async () => {
    const { value: result } = await run(`
      class A { constructor() { this.list = []; this.add(1); } add(n) { this.list.push(n); return this; } }
      class B extends A { constructor(n) { super(); this.add(n); } get last() { return this.add(0).list.at(-1); } }
      function hoisted() { return inner(arguments.length); function inner(n) { return n + 1; } }
      function twice() { var f = 1; function f() {} return typeof f + String(1); }
      const object = () => ({ value: hoisted(1, 2) });
      [new B(5).list, new B(1).last, object(), twice()]`);
    assert.equal(result, '[[1,5],0,{"value":3},"number1"]');
  });

  it('are none that may be suspended', async () => {
    const { log } = await run(`
      const list = [0];
      async function f() { list[0]++; await 1; list[0]++; }
      function* g() { yield list[0]++; yield list[0]++; }
      (async () => { await f(); return [...g(), list[0]]; })()`);
    assert.equal(log, '');
  });
});

describe('passes of loops as transactions', () => {
  it('are entered and left once each, whatever leaves them', async () => {
    const { log, value: result } = await run(`
      const a = [0, 0], f = () => 1; let n = 0;
      outer: for (let i = 0; i < 3; i++) { a[0]++; for (;;) { f(); if (i < 2) continue outer; break outer; } }
      do f(); while (n++ < 1)
      while (n-- > 0) a[1]++
      for (const k in a) a[k] += f();
      a`);
    assert.equal(result, '[4,3]');
    const [loop, inner] = ['for@3:14', 'for@3:52'];
    const f = 'f }';
    assert.equal(log.replaceAll(f, ''), log, 'f does nothing that counts');
    assert.equal(
      log.replace(/ +/g, ' '),
      [
        ...Array(3).fill(`${loop} ${inner} } }`),
        ...Array(2).fill('do@4:7 }'),
        ...Array(2).fill('while@5:7 }'),
        ...Array(2).fill('for@6:7 }'),
      ].join(' '),
    );
  });

  it('are none that may be suspended', async () => {
    const { log } = await run(`
      const list = [0];
      (async () => {
        for (let i = 0; i < 2; i++) { list[0]++; await 1; }
        for await (const x of [1]) list[0]++;
        return list;
      })()`);
    assert.equal(log, '');
  });
});

describe('calls of async functions', () => {
  it('are known whenever their code runs', async () => {
    const { running } = await run(`
      const f = async (n) => {
        where(); await null; where();
        try { await Promise.reject(n); } catch (e) { where(e); } finally { where(); }
        for await (const x of [1]) where();
      };
      const g = async () => { const both = [f(1), f(2)]; where(); await Promise.all(both); where(); };
      where(); g().then(where)`);
    const of = (name: string): number[] => [...running.keys()].filter((i) => running[i] === name);
    assert.deepEqual([of('f 2').length, of('f 3').length, running.length], [5, 5, 14]);
    // Both calls run until they wait, then their caller; it goes on when both are through.
    assert.deepEqual([running[0], ...running.slice(1, 4)], ['none', 'f 2', 'f 3', 'g 1']);
    assert.deepEqual(running.slice(-2), ['g 1', 'none']);
  });
});
