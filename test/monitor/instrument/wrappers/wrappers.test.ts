/** Whatever stands around a callee, an object or a target: programs compute the same, in the same order. */

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { runInThisContext } from 'node:vm';
import { stripTypes } from '../../../../monitor/modules/source.ts';
import { patchToString, runtime } from '../../../../monitor/runtime/index.ts';
import { isRun } from '../../../extent.ts';
import { prepare, watch } from '../helpers.ts';
import { inFixture, programs } from './programs.ts';

/** What makes an object whose methods are programs. */
type Fixture = () => Record<`run${number}` | 'state', (...given: unknown[]) => unknown>;

let seen: string[] = [];
/** What a program tells. */
const t = (value: unknown) => {
  seen.push(shown(value));
  return value;
};

const BATCH = 250;
const typed = { typescript: true };

/** The text as plain Node would run it; where it is no program, which of the bodies makes it so. */
function fixture(text: string, bodies: readonly string[], one: (body: string) => string): Fixture {
  try {
    return runInThisContext(stripTypes(text))(t);
  } catch (error) {
    if (bodies.length > 1) for (const body of bodies) fixture(one(body), [body], one);
    throw new Error(`${bodies[0]}\n${text}`, { cause: error });
  }
}

const plainText = (bodies: readonly string[]) => inFixture(bodies);
const ourText = (bodies: readonly string[]) => prepare(inFixture(bodies), typed).code;

function fixtureOf(bodies: readonly string[], text: (bodies: readonly string[]) => string): Fixture {
  return fixture(text(bodies), bodies, (body) => text([body]));
}

const shown = (value: unknown) => inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });

async function outcome(make: Fixture, n: number): Promise<string> {
  seen = [];
  const made = make();
  const g = () => {
    t('g');
    return made;
  };
  let end: unknown;
  try {
    end = await made[`run${n}`]!(made, g);
  } catch (error) {
    end = error instanceof Error ? error.name : error;
  }
  return shown([end, seen, made.state()]);
}

test('parentheses, types, commas and chains in every place', async () => {
  patchToString();
  const all = programs().filter((_, at) => isRun(at, 3));
  for (let from = 0; from < all.length; from += BATCH) {
    const bodies = all.slice(from, from + BATCH);
    const plain = fixtureOf(bodies, plainText);
    const ours = fixtureOf(bodies, ourText);
    runtime.beginRun();
    for (const [i, body] of bodies.entries()) {
      const expected = await outcome(plain, i);
      runtime.sink = { access: () => {}, lock: () => {} };
      try {
        assert.equal(await outcome(ours, i), expected, body);
      } finally {
        runtime.sink = null;
      }
    }
  }
});

/** What is done to a reference (`R`), and to an object. */
const ACCESSES: readonly (readonly [reference: string, body: string])[] = [
  ...[
    'R = 1',
    'R += 1',
    'R ??= 1',
    'R++',
    'delete R',
    '[R] = [1]',
    '({ k: R } = { k: 1 })',
    'R',
    'R.toFixed()',
  ].map((body) => ['o.n', body] as const),
  ...['R = 1', 'R += 1', 'R--', '[R] = [1]', 'for (R of [1]) { }', 'x = R'].map(
    (body) => ['x', body] as const,
  ),
  ...['R("k")', 'await R("k")', 'R?.("k")'].map((body) => ['m.get', body] as const),
  ...['R.n', 'R.n = 1', 'R["n"]++', '({ ...R })', 'const { n } = R', 'R?.a.b', 'for (const k in R) { }'].map(
    (body) => ['o', body] as const,
  ),
  ...['R.size', '[...R]', 'for (const k of R) { }', 'R.set("k", 1)'].map((body) => ['m', body] as const),
  ['o?.a', 'R.b'],
];

suite('what stands around a reference changes none of its accesses', () => {
  const events = async (body: string) => {
    const given = { o: { n: 1, a: { b: 1 } }, m: new Map([['k', 1]]) };
    const shared = 'let x = 0; const look = () => x;';
    return (await watch(`${shared} ${body}`, given, true)).events;
  };
  for (const [reference, body] of ACCESSES) {
    test(body.replace('R', reference), async () => {
      const expected = await events(body.replace('R', reference));
      assert.notDeepEqual(expected, []);
      for (const around of ['(R)', 'R!', '(R as any)', '(R satisfies any)', '((R)!)']) {
        const text = body.replace('R', around.replace('R', reference));
        assert.deepEqual(await events(text), expected, text);
      }
    });
  }
});
