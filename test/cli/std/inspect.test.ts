/** `unweave inspect --std`: details of cut points, and what forbids a triple that is none. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readStdFile } from '../../../data/threads/std-reader.ts';
import { conflictCycle } from '../../../predictor/threads/serializability.ts';
import { emptyFolder, run } from '../io.ts';

/** `A acq l`, comma separated. */
function trace(text: string): string {
  const cwd = emptyFolder();
  const lines = text.split(',').map((event, at) => {
    const [thread, op, operand = '0'] = event.trim().split(/\s+/);
    return `${thread}|${op}(${operand})|${10 * (at + 1)}\n`;
  });
  writeFileSync(join(cwd, 'trace.std'), lines.join(''));
  return cwd;
}

const inspect = async (cwd: string, ...argv: string[]) =>
  run(['inspect', '--std', 'trace.std', ...argv], {}, { cwd });

const LOCKED = 'A begin, A acq l, A r x, A rel l, A acq l, A w x, A rel l, A end, B acq l, B w x, B rel l';

test('a cut point: accesses, locks, why, schedule, switches, surroundings', async () => {
  const { out, code } = await inspect(trace(LOCKED));
  assert.equal(code, 0);
  assert.equal(
    out,
    [
      'RWW x: reachable',
      '  A reads   line 3 (30)   holds l',
      '  B writes  line 10 (100)   holds l',
      '  A writes  line 6 (60)',
      '  between its accesses A can hold {} while B holds {l}: nothing excludes, no histories cross',
      '  no serial order: A 3 6 → B 10 → A 3 6',
      '  schedule, 2 switches: as observed to line 4; B 9..11 (3); A 5..6 (2)',
      '  reduced, 2 switches: A 1..4 (4); B 9..11 (3); A 5..6 (2)',
      '      1  A|begin(0)|10',
      '      2  A|acq(l)|20',
      '  ①   3  A|r(x)|30',
      '      4  A|rel(l)|40',
      '      5  A|acq(l)|50',
      '  ③   6  A|w(x)|60',
      '      7  A|rel(l)|70',
      '      8  A|end(0)|80',
      '      9  B|acq(l)|90',
      '  ② 10  B|w(x)|100',
      '     11  B|rel(l)|110',
      '',
    ]
      .join('\n')
      .replace('  ② 10', '  ②  10'),
  );
});

const FORBIDDEN: readonly (readonly [name: string, trace: string, triple: string, why: string])[] = [
  [
    'a common lock',
    'A begin, A acq l, A r x, A r x, A rel l, B acq l, B w x, B rel l',
    '3-7-4',
    'A and B both hold l',
  ],
  [
    'crossed histories',
    'A acq a, A acq b, A rel b, A begin, A r x, A r x, A rel a, B acq b, B acq a, B rel a, B w x, B rel b',
    '5-11-6',
    'A and B take a and b crosswise',
  ],
  [
    'a fork',
    'A begin, A r x, A r x, A fork B, B w x',
    '2-5-3',
    'in every order the remote access comes after the second one: line 4, fork(B)',
  ],
  [
    'a join',
    'A fork B, B w x, A join B, A begin, A r x, A r x',
    '5-2-6',
    'in every order the remote access comes before the first one: line 3, join(B)',
  ],
  [
    'a message through another thread',
    'A begin, A r x, A r x, A send m, C recv m, C send n, B recv n, B w x',
    '2-8-3',
    'in every order the remote access comes after the second one: line 7, recv(n)',
  ],
  [
    'a lock of the parent',
    'A acq l, A fork B, B w x, A join B, A rel l, C acq l, C begin, C r x, C r x, C rel l',
    '8-3-9',
    'no single lock or edge: locks and edges of all threads together leave no order',
  ],
];
for (const [name, text, triple, why] of FORBIDDEN)
  test(`no cut point: ${name}`, async () => {
    const { out, code } = await inspect(trace(text), triple);
    assert.equal(code, 0);
    assert.match(out, /^\w+ x: unreachable\n/);
    assert.equal(out.split('\n')[4], `  ${why}`);
  });

test('the second access that cannot follow', async () => {
  const text =
    'A acq k, A begin, A w x, A acq l, A w x, A rel l, A rel k, B acq l, B r x, B acq k, B rel k, B rel l';
  const { out } = await inspect(trace(text), '3-9-5');
  assert.match(out, /the second access cannot follow: the threads wait for each other/);
});

test('--json gives the same; filters choose', async () => {
  const cwd = trace(LOCKED);
  const { out } = await inspect(cwd, '--json', '-');
  const [detail] = JSON.parse(out);
  assert.equal(detail.verdict, 'reachable');
  assert.deepEqual(detail.locks.remote, [{ lock: 'l', shared: false, history: [] }]);
  assert.deepEqual(detail.schedule.switches, { before: 2, after: 2 });
  for (const [filter, count] of [
    ['RWW', 1],
    ['x', 1],
    ['100', 1],
    ['B', 1],
    ['10', 1],
    ['reachable', 1],
    ['unreachable', 0],
    ['trace.std', 1],
    ['other.std', 0],
    ['WWW', 0],
    ['y', 0],
  ] as const)
    assert.equal(JSON.parse((await inspect(cwd, filter, '--json', '-')).out).length, count, filter);
  assert.equal((await inspect(cwd, 'WWW')).out, 'no cut point fits\n');
});

test('what was kept in a store is shown from there', async () => {
  const cwd = trace(LOCKED);
  const store = ['--store', 'kept.db'];
  await run(['predict', '--std', 'trace.std', ...store], {}, { cwd });
  const fromFile = await inspect(cwd);
  writeFileSync(join(cwd, 'trace.std'), 'gone');
  assert.equal((await inspect(cwd, ...store)).out, fromFile.out);
  const { code, err } = await run(['inspect', '--std', 'other.std', ...store], {}, { cwd });
  assert.equal(code, 2);
  assert.match(err, /^unweave: kept\.db: no trace other\.std; there are: trace\.std\n$/);
});

test('--write-std writes the schedule as a trace that no serial order explains', async () => {
  const cwd = trace(LOCKED);
  assert.equal((await inspect(cwd, '3-10-6', '--write-std', 'schedule.std')).code, 0);
  const written = readStdFile(join(cwd, 'schedule.std'));
  assert.deepEqual(
    Array.from(written.events.point, (point) => written.names.points[point]),
    ['10', '20', '30', '40', '90', '100', '110', '50', '60'],
  );
  const order = Array.from({ length: written.events.length }, (_, i) => i);
  assert.notEqual(conflictCycle(written.events, order), null);
  assert.equal((await inspect(cwd, 'WWW', '--write-std', 'other.std')).code, 2);
  assert.equal((await run(['inspect', '--write-std', 'other.std'])).code, 2);
});

test('three lines that are no triple: one line says why', async () => {
  const cwd = trace(LOCKED);
  for (const [triple, why] of [
    ['3-10-99', 'the trace has no line 99'],
    ['3-9-6', 'line 9 is no access'],
    ['3-6-6', 'the middle line is of the same thread'],
    ['6-10-3', 'the first and the last line are no two accesses of one transaction, in order'],
  ] as const) {
    const { code, err } = await inspect(cwd, triple);
    assert.equal(code, 2);
    assert.equal(err, `unweave: ${triple}: ${why}\n`);
  }
});

test('a triple of a long trace is looked at in a window, by the lines of the whole trace', async () => {
  const idle = Array.from({ length: 310_000 }, (_, i) => `C r y${i % 3}`).join(', ');
  const cwd = trace(`B acq k, ${idle}, ${LOCKED.replace('B acq l', 'B rel k, B acq l')}`);
  const at = (line: number) => line + 310_001;
  const { out, code } = await inspect(cwd, `${at(3)}-${at(11)}-${at(6)}`);
  assert.equal(code, 0);
  const schedule = `as observed to line ${at(3) - 1 - 4096 - 4 * 8}; A ${at(1)}..${at(4)} (4); B ${at(9)}..${at(12)} (4); A ${at(5)}..${at(6)} (2)`;
  assert.ok(out.startsWith('RWW x: reachable\n'));
  assert.ok(out.includes(`  schedule, 2 switches: ${schedule}\n`), out);
  assert.ok(out.includes(`  reduced, 2 switches: ${schedule}\n`), out);
  // What one lock forbids is forbidden whatever came before.
  const locked = await inspect(
    trace(`${idle}, A begin, A acq l, A r x, A r x, A rel l, B acq l, B w x, B rel l`),
    '310003-310007-310004',
  );
  assert.match(locked.out, /: unreachable\n/);
  assert.match(locked.out, /A and B both hold l\n/);
});
