/**
 * Small programs in which a reference stands in some place of an expression or statement, with parentheses, types,
 * commas and links of a chain around it and around the object that it is a member of.
 */

/** What may be put around an expression (`<T>e` is nothing that Node takes). A comma makes a value of a reference. */
const AROUND: readonly (readonly [before: string, after: string])[] = [
  ['(', ')'],
  ['', '!'],
  ['(', ' as any)'],
  ['(', ' satisfies any)'],
  ['(0, ', ')'],
];

const around = (inner: string): string[] => AROUND.map(([before, after]) => before + inner + after);
const twice = (inner: string): string[] => around(inner).flatMap(around);

/** `o`: an object; `n`: undefined; `x`: a variable that closures share; `g()`: a call; `t(…)`: tells that it is evaluated. */
const SIMPLE: readonly string[] = [
  ...['o.k', 'o[t("k")]', 'o["k"]', 'o.#p', 'super.k', 'super[t("k")]', 'x', 'this.k', 'o.a.k', 'g().k'],
  ...['new o.F().k', 'o.m.get("k")', 'globalThis.Q'],
];
const CHAINS: readonly string[] = [
  ...['o?.k', 'o?.[t("k")]', 'o?.#p', 'o?.a.k', 'o?.a[t("k")]', 'o.a?.k', 'g()?.a.k', 'o?.a?.k', 'o.a?.f?.k'],
  ...['n?.k', 'n?.a.k', 'n?.[t("k")]', 'n?.#p', 'o?.n?.a.k', 'n?.a[t("k")].k', 'o?.f().k', 'n?.f(t(1)).k'],
];
/** Members of an object that has something around it; what is `@` goes on with its chain where nothing ends it. */
const OBJECTS: readonly (readonly [object: string, member: string])[] = [
  ...(['o', 'o.a', 'o?.a', 'n?.a', 'o?.a.a', 'n?.a.a', 'g()', 'x'] as const).flatMap((object) => [
    [object, '@.k'] as const,
    [object, '@?.k'] as const,
    [object, '@[t("k")]'] as const,
  ]),
  ['o', '@.#p'],
  ['o?.a', '@.f.k'],
];

/** Where a value may stand: `R` is the reference. */
const VALUES: readonly string[] = [
  ...['R', 'R(t(1))', 'R()', 'new R(t(1))', 'new R', 'new R().k', 'R?.(t(1))', 'R?.()', 'R`a`'],
  ...['new (R)', 'new R`a`', 'R.call(o, t(1))', 'R!.call(o)', 'R?.k', 'R?.k.k', 'R.k.k', 'R!.k!.k!()'],
  ...['R?.call?.(o)', 'R[t("k")]', 'R?.[t("k")]', 'typeof R', 'void R', '!R', '[...[R]]', '({ ...R })'],
  ...['[R, R]', 'R ?? t(1)', 'R || t(1)', 'R && t(1)', 'R ? t(1) : t(2)', 't(R)', 't(...[R])'],
  ...['"k" in R', 'class extends R {}', 'R instanceof R', '({ k: R }).k', '(() => R)()', '(() => R())()'],
  ...['{ const { k } = R; return k }', '{ const [k] = [R]; return k }', '{ for (const k in R) t(k) }'],
  ...[
    '{ for (const k of [R]) t(typeof k) }',
    '{ if (R) t(1); else t(2) }',
    '{ switch (R) { case R: t(1) } }',
  ],
  ...[
    '{ throw R }',
    '(async () => await R)()',
    '(async () => { return R() })()',
    '[...(function* () { yield R })()]',
  ],
  ...['(async () => { for await (const k of [R]) t(typeof k) })()', '(() => { const v = R; return v })()'],
  ...['import(R)', 'new (class extends Base { constructor() { super(R) } })()'],
];
/** Where a target may stand. */
const TARGETS: readonly string[] = [
  ...['R = t(1)', 'R += t(1)', 'R ??= t(1)', 'R ||= t(1)', 'R &&= t(1)', 'R = () => {}', 'R ??= () => {}'],
  ...['R++', '--R', '[R] = [t(1)]', '[R = t(2)] = [t(undefined)]', '[...R] = [t(1)]', '[[R]] = [[1]]'],
  ...[
    '({ a: R } = { a: t(1) })',
    '({ a: R = t(2) } = {})',
    '({ ...R } = { a: 1 })',
    '({ [t("a")]: R } = { a: 1 })',
  ],
  ...['{ for (R of [t(1), 2]) ; }', '{ for (R in { z: 1 }) ; }', '{ for (R of [1]) { t(2) } }', 'delete R'],
  ...[
    '{ for ([R] of [[1]]) ; }',
    'R = R = t(1)',
    't((R = 1), (R += 2), R)',
    '(async () => { R = await 1 })()',
  ],
  ...['(async () => { R += await 1 })()', '(async () => { for await (R of [1]) t(2) })()'],
];

/** All programs, as bodies of methods of {@link inFixture}. */
export function programs(): string[] {
  const references = new Set<string>();
  const add = (more: readonly string[]) => {
    for (const one of more) references.add(one);
  };
  for (const base of [...SIMPLE, ...CHAINS]) add([base, ...around(base)]);
  for (const base of ['o.k', 'x', 'n?.a.k']) add(twice(base));
  for (const [object, member] of OBJECTS) {
    for (const held of around(object)) {
      const reference = member.replace('@', held);
      add([reference, ...(member === '@.k' && object.endsWith('?.a') ? around(reference) : [])]);
    }
  }
  return [...references].flatMap((reference) => {
    const places = isTarget(reference) ? [...VALUES, ...TARGETS] : VALUES;
    return places.filter((place) => isAllowed(place, reference)).map((place) => statement(place, reference));
  });
}

const isTarget = (reference: string) => !/\?\.|\(0,|Q|get\(/.test(reference);

/** What the language allows. */
function isAllowed(place: string, reference: string): boolean {
  if (place.includes('function*')) return !reference.includes('super');
  if (place.startsWith('delete')) return !/\bx\b|#p/.test(reference);
  return !/new R|R`/.test(place) || !isChain(reference);
}

/** Whether what comes behind it goes on with a chain of it. */
function isChain(reference: string): boolean {
  let depth = 0;
  for (let at = 0; at < reference.length; at++) {
    if (reference[at] === '(') depth++;
    else if (reference[at] === ')') depth--;
    else if (depth === 0 && reference.startsWith('?.', at)) return true;
  }
  return false;
}

function statement(place: string, reference: string): string {
  const text = place.replaceAll('R', () => reference);
  return text.startsWith('{') ? text : `return ${text}`;
}

/**
 * A class whose methods `run0`, `run1` and so on have these bodies: an expression, a function of `t`, which notes what it is
 * given. It returns what makes a new object of the class, with all around it as at the start.
 */
export function inFixture(bodies: readonly string[]): string {
  const methods = bodies.map((body, i) => `run${i}(o: any, g: any) { ${body} }`);
  return `(function (t: any) {
  const functions = () => function (this: any, ...a: any[]) {
    t(['called', this?.name ?? typeof this, new.target !== undefined, a.length]);
    return this !== undefined && new.target === undefined ? this.a ?? inner : undefined;
  };
  let f: any, inner: any, x: any;
  const n: any = undefined;
  class Base { k() { return f.call(this) } }
  class Program extends Base {
    name = 'o'; k = f; F = f; f = f; a: any = inner; m = new Map([['k', f]]); n: any = n; #p: any = f;
    state() { return [this.k, this.#p, this.a, x, Object.keys(this)] }
    ${methods.join('\n')}
  }
  return () => {
    f = functions();
    inner = { name: 'inner', k: f, f };
    inner.a = { name: 'innermost', k: f, f, n };
    f.k = f;
    f.a = x = inner;
    return new Program();
  };
})`;
}
