/** Straight-line accesses share a hook; what is logged, and in which order across anything that runs, stays. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { prepare, watch } from './helpers.ts';

class Point {
  x = 1;
  y = 2;
  n = 0;
  at: Point | null = null;
  call() {
    return 1;
  }
}

const R = (key: string) => `R Point#${key}`;
const W = (key: string) => `W Point#${key}`;

const TABLE: readonly [string, string, readonly string[]][] = [
  ['two reads', 'return o.x + o.y', [R('x'), R('y')]],
  ['the same read twice is told once', 'return o.x + o.x', [R('x')]],
  ['read, then written', 'o.x = o.x + 1', [R('x'), W('x')]],
  ['written, then read: the read says nothing new', 'o.x = 5; return o.x', [W('x')]],
  [
    'over several statements',
    'const a = o.x; o.y = a; o.n += 2; return o.n',
    [R('x'), W('y'), R('n'), W('n')],
  ],
  ['an update', 'o.n++; o.n++', [R('n'), W('n')]],
  ['calls end a group', 'o.x; o.call(); o.x', [R('x'), R('x')]],
  ['an await ends a group', 'o.x = 1; await null; o.x = 2', [W('x'), W('x')]],
  ['an await in the value', 'o.x; o.x = await o.y; o.x', [R('x'), R('y'), W('x')]],
  ['an await in the value of a compound', 'o.x += await o.y', [R('x'), R('y'), W('x')]],
  ['pure calls do not', 'return o.x + Math.sqrt(o.y) + o.x', [R('x'), R('y')]],
  ['what may not happen is told when it does', 'if (o.x > 5) o.y = 1; return o.x', [R('x')]],
  ['what may happen and does', 'if (o.x < 5) o.y = 1; return o.x', [R('x'), W('y')]],
  ['a compound that may happen', 'o.n; if (o.x < 5) o.n += 1', [R('n'), R('x'), R('n'), W('n')]],
  ['a compound that may not', 'o.n; if (o.x > 5) o.n += 1', [R('n'), R('x')]],
  ['a compound in a block of its own', 'o.n; { o.n += 1; o.n += 1 }', [R('n'), W('n')]],
  ['behind a jump', 'o.x; if (o.n === 0) return 1; o.y = 2', [R('x'), R('n')]],
  [
    'logical assignment stays alone',
    'o.x; o.x ??= o.y; o.n ||= o.y',
    [R('x'), R('x'), R('n'), R('y'), W('n')],
  ],
  ['both ways of a condition', 'return o.x ? o.y : o.n', [R('x'), R('y')]],
  ['through a field', 'o.at = o; o.at.x; o.at.y', [W('at'), R('x'), R('y')]],
  ['a field that is replaced', 'o.at = o; o.at.x; o.at = p; o.at.x', [W('at'), R('x'), R('x')]],
  ['a variable that is replaced', 'let q = o; q.x; q = p; q.x', [R('x'), R('x')]],
  ['two objects', 'o.x = p.x; p.x = o.y', [R('x'), W('x'), R('y'), W('x')]],
  ['nothing there', 'const q = null; try { q.x; q.y } catch {}', []],
  ['in loops', 'for (let i = 0; i < 2; i++) { o.x; o.x }', [R('x'), R('x')]],
  ['in a switch', 'switch (o.x) { case 1: o.y; o.y; case 2: o.n }', [R('x'), R('y'), R('n')]],
];

suite('groups', () => {
  for (const [title, body, expected] of TABLE) {
    test(title, async () => {
      const { events } = await watch(body, { o: new Point(), p: new Point() });
      assert.deepEqual([...events].sort(), [...expected].sort());
      // Reads and writes of one key keep their order.
      for (const key of ['x', 'y', 'n']) {
        const of = (list: readonly string[]) => list.filter((event) => event.endsWith(`#${key}`));
        assert.deepEqual(of(events), of(expected));
      }
    });
  }

  test('one hook for the fields of one object', () => {
    const { code } = prepare('function f(a) { return a.x * a.x + a.y * a.y + a.z * a.z }');
    assert.equal(code.match(/__cov/g)!.length, 1);
  });

  test('the points of a group are those of its accesses', async () => {
    const { points } = await watch('return o.x +\n o.y', { o: new Point() });
    assert.deepEqual(points, ['1:29 o.x', '2:2 o.y']);
  });
});
