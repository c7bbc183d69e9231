/** Messages that quote instrumented text are shown with the user's. */
import loose from 'node:assert';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { plainMessage, runtime } from '../../monitor/runtime/index.ts';
import { prepare } from './instrument/helpers.ts';

/** Registers `text` with the parts in angle brackets as ours; gives the instrumented text. */
function instrumented(text: string, first: number): string {
  const inserted: number[] = [];
  let code = '';
  for (const part of text.split(/(<[^>]*>)/)) {
    const ours = part.startsWith('<');
    if (ours) inserted.push(code.length, part.length - 2);
    code += ours ? part.slice(1, -1) : part;
  }
  runtime.registerText(first, 10, code, Int32Array.from(inserted));
  return code;
}

test('the expression that assert.ok quotes is the one that the user wrote', () => {
  const code = instrumented(
    '<var __cov;>f();\nassert.ok(<__cov.r(9001,><__cov.r(9002,>c<)>.map<)>.size <= 2);\n',
    9000,
  );
  const quote = code.split('\n')[1]?.replace(/;$/, '');
  assert.equal(
    plainMessage(`The expression evaluated to a falsy value:\n\n  ${quote}\n`),
    'The expression evaluated to a falsy value:\n\n  assert.ok(c.map.size <= 2)\n',
  );
});

test('hooks that the engine abbreviates are an intermediate value', () =>
  assert.equal(plainMessage('__cov.c(...).f is not a function'), '(intermediate value).f is not a function'));

test('other messages stay as they are', () => {
  for (const message of ['', 'x is not a function', '__cov.r(1,c) of nobody'])
    assert.equal(plainMessage(message), message);
});

/** Each fails; with objects `o` and `a`, and a variable `n` that closures share, in sight. */
const FAILING: readonly string[] = [
  'o.nope()',
  'o.a.nope(1)',
  'o.a["no pe"](1)',
  'o.a[o.k](1)',
  'o[0]()',
  'this.nope(await 1)',
  'n()',
  'o\n.a.f()',
  'o?.a.f()',
  'o.a?.f(1)',
  'o.m().nope()',
  'o.m(1)(2)',
  'm.get(1)()',
  'Object.entries(o).nope()',
  'new o.a.X()',
  '[...o.a.f]',
  'for (const x of o.a.f);',
  'const { q } = o.zz',
  'for (const { q } of [null]);',
  '(({ q }) => q)()',
  'async function f(x, { q }) { return q } await f(1, null)',
  'o.a.b.c',
];

suite('errors of the engine have the words that they have on plain Node', () => {
  for (const body of FAILING)
    test(body, async () => {
      const source = `(async function (o, m) { let n; const set = () => { n = 1 }; if (m === 1) set();
        const fails = async () => { ${body} }; try { await fails() } catch (e) { return [e.message, e.stack.split('\\n')[0]] } })`;
      const run = (code: string) =>
        runInThisContext(code, '/words/a.js')({ a: { f: 1 }, k: 'x', m: () => ({}) }, new Map());
      assert.deepEqual(await run(prepare(source).code), await run(source));
    });

  test('where an assertion of others looks at them', () => {
    const source =
      '(function (o, throws) { throws(() => o.nope(), /^TypeError: o\\.nope is not a function$/) })';
    runInThisContext(prepare(source).code, '/words/a.js')({}, assert.throws);
  });

  const HANDLERS = [
    'app.get("/", (req, res) => { res.send(req.nope()) })',
    'app.route({ handler(request, reply) { reply.send(request.nope()) } })',
    'function show(_req, res, next) { res.send(_req.nope()); next() } app.use(show)',
  ];
  for (const body of HANDLERS)
    test(`where a framework answers with them: ${body}`, () => {
      let answer = '';
      const handle = (handler: (...args: object[]) => void) => {
        try {
          handler({}, {}, {});
        } catch (error) {
          answer = (error as Error).message;
        }
      };
      const app = {
        get: (_path: string, handler: () => void) => handle(handler),
        route: (given: { handler(): void }) => handle(given.handler),
        use: handle,
      };
      const run = (code: string) => {
        runInThisContext(code, '/words/a.js')(app);
        return answer;
      };
      const source = `(function (app) { ${body} })`;
      const plain = run(source);
      assert.match(plain, /^_?req(?:uest)?\.nope is not a function$/);
      assert.equal(run(prepare(source).code), plain);
    });
});

/** Calls of `assert` that fail; each runs with `assert`, `t`, `o` and `box` in sight. */
const ASSERTING: readonly string[] = [
  'assert.ok(o.a === 2)',
  'assert(o.items.length > 3)',
  'assert(o.n++ > 4 && o.n)',
  'assert((o.n += 1) > 40)',
  'assert.ok(o?.deep?.x)',
  'assert(o[o.k] === 7); o.n = 1',
  'assert.ok(\n o.a === 2 &&\n o.n > 3,\n)',
  't.assert.ok(o.n === 9)',
  "t['assert'].ok(o.n === 9)",
  'assert(box.has(5))',
  'assert(o.items.every((x) => x.y) === o.n)',
  'assert(o.items.some((x) => { return x === o.n; }))',
  'assert([1].some((x) => x === o.n))',
  'assert.equal(o.n, true)',
  'assert(!o.a, undefined)',
  "assert.ok(o.n === 9, 'words of the user')",
  "assert(o.k === '\u0001\b\f\u001f\t')",
];

/** Who looks at what was thrown. */
const LOOKING: Readonly<Record<string, (body: string) => string>> = {
  'a catch': (body) => `try { ${body} } catch (e) { return said(e) }`,
  'an async function': (body) => `return (async () => { ${body} })().then(null, said)`,
  'a callback of then': (body) => `return Promise.resolve().then(() => { ${body} }).then(null, said)`,
  'a callback of finally': (body) => `return Promise.resolve()?.finally(() => { ${body} }).then(null, said)`,
  'an executor': (body) => `return new Promise(() => { ${body} }).then(null, said)`,
};

suite('what assert makes of its call is what it makes of the user’s text', () => {
  for (const [who, looks] of Object.entries(LOOKING))
    test(who, async () => {
      for (const body of [...ASSERTING, 'o.nope()', '[1].map(() => o.n.nope())', 'const { q } = o.zz']) {
        const source = `(async function (assert, t, said) { class Box { #v = 0; has(k) { return this.#v === k } }
          const o = { a: 1, n: 0, k: 'a', items: [], deep: {} }; const box = new Box(); ${looks(body)} })`;
        const run = (code: string) =>
          runInThisContext(code, '/words/b.js')(loose, { assert: loose }, (e: Error) => [
            e.message,
            e.stack?.replace(/\n {4}at [\s\S]*/, ''),
          ]);
        assert.deepEqual(await run(prepare(source, { file: 'words/b.js' }).code), await run(source), body);
      }
    });
});
