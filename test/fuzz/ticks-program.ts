/** Random async programs for the tick fuzz: every construct that suspends, nested in every way. */

/** A small seeded generator (mulberry32): equal seeds give equal programs on every platform. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(n: number): number {
    return Math.floor(this.next() * n);
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
  chance(p: number): boolean {
    return this.next() < p;
  }
}

const FUNCTIONS = 4;
const GENERATORS = 3;
/** Calls of generated functions per run: they call each other at random. */
const FUEL = 150;

/**
 * One program. It logs through `L(text, value?)`, and calls `chk()` where the running activation must be that
 * of the function around it. `d` bounds recursion at run time, `depth` that of the text.
 */
export function program(seed: number): string {
  return new Writer(new Random(seed)).program();
}

class Writer {
  readonly #random: Random;
  #id = 0;
  constructor(random: Random) {
    this.#random = random;
  }

  #log(): string {
    return `L('p${this.#id++}');`;
  }

  program(): string {
    const lines: string[] = [];
    for (let i = 0; i < FUNCTIONS; i++) {
      lines.push(
        `async function f${i}(d) { if (d <= 0 || fuel-- <= 0) { ${this.#log()} return ${this.#awaitable(0)} }`,
      );
      lines.push(this.#body(2, false), '}');
    }
    for (let i = 0; i < GENERATORS; i++) {
      lines.push(
        `async function* g${i}(d) { if (d <= 0 || fuel-- <= 0) { ${this.#log()} return ${this.#awaitable(0)} }`,
      );
      lines.push(this.#body(2, true), 'yield 7 }');
    }
    lines.push('class C { #x = 0; n = 0; list = [];');
    lines.push(
      `async add(d) { if (d <= 0 || fuel-- <= 0) return this.#x; this.#x += await ${this.#awaitable(1)}; chk();`,
    );
    lines.push(
      `this.n = this.n + (await ${this.#awaitable(1)} ? 1 : 2); chk(); this.list[this.n++] ??= await d; chk();`,
    );
    lines.push(
      `return this.peek(d - 1) } peek(d) { ${this.#log()} return this?.list.length > 2 ? f0(d) : this.n }`,
    );
    lines.push('arrow = async (d) => this.peek(await this.add(d - 1)) }');
    lines.push(`let fuel = ${FUEL}; const c = new C(); let shared = 0; const map = new Map(); const d = 3;`);
    lines.push('function named(v) { L("named", v); return v }');
    for (let i = 0; i < 3; i++) {
      lines.push(`f${i}(3).then(v => L('done${i}', v), e => L('fail${i}', String(e)));`);
    }
    lines.push(
      `try { ${this.#statement(2, false).replace(/\breturn\b/g, 'void ')} } catch (e) { L('top', String(e)) }`,
    );
    lines.push(`chk(); L('end');`);
    return lines.join('\n');
  }

  #body(depth: number, generator: boolean): string {
    const lines: string[] = [];
    for (let n = 1 + this.#random.below(3); n > 0; n--) lines.push(this.#statement(depth, generator));
    return lines.join('\n');
  }

  /** An expression that may be awaited: values, promises, thenables, rejections, calls, combinators. */
  #awaitable(depth: number): string {
    const inner = () => this.#awaitable(depth - 1);
    const simple = [
      () => String(this.#id++),
      () => `Promise.resolve(${this.#id++})`,
      () => `({ then(r) { ${this.#log()} r(${this.#id++}) } })`,
      () => `new Promise((r) => queueMicrotask(() => { chk(); ${this.#log()} r(${this.#id++}) }))`,
      () => `new Promise((r) => process.nextTick(() => { chk(); ${this.#log()} r(${this.#id++}) }))`,
      () => `Promise.reject(${this.#id++}).catch((e) => { chk(); ${this.#log()} return e })`,
      () => `new Promise((r) => setImmediate(r, ${this.#id++}))`,
      () => `(shared = shared + 1)`,
      () => `map.set(${this.#random.below(3)}, ${this.#id++}).size`,
    ];
    const call = () =>
      this.#random.pick([`f${this.#random.below(FUNCTIONS)}(d - 1)`, 'c.add(d - 1)', 'c.arrow(d - 1)']);
    const nested = [
      call,
      () => `Promise.all([${inner()}, ${inner()}, ${call()}])`,
      () => `Promise.race([${inner()}, ${inner()}])`,
      () => `Promise.allSettled(new Set([${inner()}, Promise.reject(${this.#id++})]))`,
      () => `Promise.any([Promise.reject(1), ${inner()}])`,
      () => `(async () => ${inner()})()`,
      () => `(async () => { ${this.#body(depth - 1, false)} })()`,
      () => `(async (x) => (${this.#log().replace(';', ',')} await ${inner()}))(1)`,
      () => `Promise.resolve(${inner()}).then((v) => { chk(); ${this.#log()} return ${call()} })`,
      () => `Promise.resolve(${inner()}).then(named).finally(() => { chk(); ${this.#log()} })`,
      () => `g${this.#random.below(GENERATORS)}(d - 1).next()`,
      () => `new Promise((r) => r(${this.#random.chance(0.5) ? call() : this.#awaitable(0)}))`,
      () => `(shared += await ${inner()})`,
      () => `(c.n = await ${inner()})`,
      () => `map.set(d, await ${inner()}).get(d)`,
      () => `(await ${inner()}, c?.list)?.length`,
      () => `[await ${inner()}, await ${inner()}]`,
    ];
    return this.#random.pick(depth > 0 ? nested : simple)();
  }

  #iterable(depth: number): string {
    return this.#random.pick([
      () => `[${this.#awaitable(0)}, ${this.#awaitable(0)}]`,
      () => `g${this.#random.below(GENERATORS)}(d - 1)`,
      () => `(function* () { yield ${this.#awaitable(0)}; yield ${this.#awaitable(0)} })()`,
      () =>
        `({ [Symbol.asyncIterator]() { let i = 0; return { next() { ${this.#log()} return i++ < 2 ? { value: i, done: false } : { done: true } }, return() { ${this.#log()} return {} } } } })`,
      () =>
        `({ [Symbol.asyncIterator]() { let i = 0; return { async next() { chk(); await ${this.#awaitable(depth - 1)}; chk(); return { value: i, done: i++ >= 2 } } } } })`,
    ])();
  }

  #statement(depth: number, generator: boolean): string {
    const inner = () => this.#awaitable(depth - 1);
    const body = () => this.#body(depth - 1, generator);
    const guard = () => `if (d == ${this.#random.below(4)})`;
    const id = this.#id++;
    const simple = [
      () => `${this.#log()} chk();`,
      () => `L('v${id}', await ${this.#awaitable(depth)}); chk();`,
      () => `await ${this.#awaitable(depth)}; chk(); ${this.#log()}`,
      () => `void ${this.#awaitable(depth)}; chk();`,
    ];
    const nested = [
      () =>
        `try { chk(); await ${inner()}; ${this.#log()} await Promise.reject('E${id}') } catch (e) { chk(); L('c${id}', e); chk() }`,
      () => `try { ${body()} } finally { chk(); ${this.#log()} await ${inner()}; chk() }`,
      () =>
        `try { await Promise.reject({}) } catch ({ a = (chk(), ${id}), b = await ${inner()} }) { chk(); L('d${id}', a) } chk();`,
      () =>
        `for await (const x of ${this.#iterable(depth)}) { chk(); L('x${id}', typeof x); ${this.#random.chance(0.3) ? 'break;' : ''} ${body()} } chk();`,
      () => `for await (const { a = (chk(), 1) } of ${this.#iterable(depth)}) chk(); chk();`,
      () =>
        `l${id}: for await (const y of ${this.#iterable(depth)}) { for (const z of [1, 2]) { chk(); if (z == 2) continue l${id}; await z; chk() } } chk();`,
      () =>
        `o${id}: for (const z of [1, 2]) { for await (const y of ${this.#iterable(depth)}) { chk(); if (z == 1) continue o${id}; break o${id} } } chk();`,
      () => `${guard()} return ${inner()};`,
      () => `${guard()} return await ${inner()};`,
      () => `${guard()} throw 'T${id}';`,
      () => `const v${id} = await (chk(), await ${inner()}); chk(); L('w${id}', typeof v${id});`,
      () => `try { ${guard()} return ${inner()}; await null; chk() } finally { chk(); ${this.#log()} }`,
      () => `[1, 2].map(async (i) => { chk(); ${this.#log()} await i; chk(); ${this.#log()} }); chk();`,
      () => `[1, 2].forEach((i) => { chk(); shared += i; ${this.#log()} }); chk();`,
      () =>
        `const { p: p${id} = await ${inner()}, ...rest${id} } = { q: ${id} }; chk(); L('r${id}', typeof p${id});`,
      () => `let t${id} = 0; const h${id} = () => t${id}++; t${id} += await ${inner()}; h${id}(); chk();`,
      () => `switch (await ${inner()}) { case 1: ${body()} break; default: chk() }`,
      () => `await Promise.all([1, 2].map(async (i) => { c.list[i] = await ${inner()}; chk() })); chk();`,
    ];
    const generating = [
      () => `yield ${inner()}; chk(); ${this.#log()}`,
      () => `yield* ${this.#iterable(depth - 1)}; chk(); ${this.#log()}`,
      () => `try { yield ${inner()}; chk() } finally { chk(); await 1; chk(); ${this.#log()} }`,
      () => `try { L('y${id}', typeof (yield)); chk() } catch (e) { chk() }`,
    ];
    const choices =
      depth > 0 ? [...simple, ...nested, ...(generator ? [...generating, ...generating] : [])] : simple;
    return this.#random.pick(choices)();
  }
}
