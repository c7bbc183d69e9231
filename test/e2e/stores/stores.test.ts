/** Stores that are damaged, foreign, newer, somebody else's, in use, or without room: one line, nothing lost. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import Database from 'better-sqlite3';
import { GOOD_HARNESS, WRONG, WRONG_HARNESS } from '../bad-input/projects.ts';
import {
  assertCalm,
  assertNoOrphans,
  assertOneLine,
  complaints,
  project,
  readReport,
  run,
  start,
} from '../batch/command.ts';

const STORE = join('.unweave', 'trace.db');
const FEW = ['--max-schedules', '5', '--confirm', '1'];
const RUN = ['run', ...FEW, '--json', 'out.json', 'h.js'];

/** The store of a finished run of a wrong harness, as bytes; and the id of its bug. */
let good: Buffer;
let bug: string;

before(async () => {
  const after: (() => void)[] = [];
  try {
    const cwd = project({ after: (fn) => after.push(fn) }, { 'h.js': WRONG_HARNESS });
    assert.equal((await run(cwd, RUN)).code, 1);
    good = readFileSync(join(cwd, STORE));
    bug = readReport(cwd).bugs[0]!.id;
  } finally {
    for (const fn of after) fn();
  }
});

/** A project with a store of these bytes. */
function withStore(t: Parameters<typeof project>[0], bytes: Buffer, harness = GOOD_HARNESS): string {
  const cwd = project(t, { 'h.js': harness });
  mkdirSync(join(cwd, '.unweave'));
  writeFileSync(join(cwd, STORE), bytes);
  return cwd;
}

/** Commands that open the store, to write it and to read it, say the same, and leave the file as it is. */
async function allRefuse(cwd: string, line: RegExp, more: readonly string[][] = []): Promise<void> {
  const bytes = readFileSync(join(cwd, STORE));
  for (const args of [RUN, ['inspect'], ...more]) assertOneLine(await run(cwd, args), 2, line);
  assert.deepEqual(readFileSync(join(cwd, STORE)), bytes);
}

test('a truncated store', async (t) => {
  const cwd = withStore(t, good);
  truncateSync(join(cwd, STORE), good.length / 2);
  await allRefuse(cwd, /trace\.db: truncated; delete it and record again/, [['replay', bug], ['predict']]);
});

test('a file that is no store', async (t) => {
  await allRefuse(
    withStore(t, Buffer.from('my only copy of the thesis\n'.repeat(100))),
    /not an Unweave store/,
  );
});

test('a database of somebody else', async (t) => {
  const cwd = project(t, { 'h.js': GOOD_HARNESS });
  mkdirSync(join(cwd, '.unweave'));
  const db = new Database(join(cwd, STORE));
  db.exec('CREATE TABLE thesis (chapter TEXT)');
  db.close();
  await allRefuse(cwd, /not an Unweave store/);
});

test('a store of a newer schema', async (t) => {
  const cwd = withStore(t, good);
  const db = new Database(join(cwd, STORE));
  db.pragma('user_version = 99');
  db.close();
  await allRefuse(cwd, /written by a newer unweave \(schema 99/);
});

test('a store that another user made: it is shown, and its command is never run', async (t) => {
  const cwd = withStore(t, good, WRONG_HARNESS);
  const db = new Database(join(cwd, STORE));
  db.prepare(`UPDATE meta SET value = ? WHERE key = 'uid'`).run(JSON.stringify(12_345));
  const evil = ['bash', '-c', 'touch pwned'];
  db.prepare(`UPDATE meta SET value = ? WHERE key = 'command'`).run(JSON.stringify(evil));
  db.close();
  for (const args of [['replay', bug], ['reschedule']])
    assertOneLine(await run(cwd, args), 2, /was not made by you here: its command is not run/);
  assert.equal((await run(cwd, ['inspect'])).code, 0);
  assert.equal(existsSync(join(cwd, 'pwned')), false);
});

test('a copied store is trusted no more than another user’s', async (t) => {
  const cwd = withStore(t, good, WRONG_HARNESS);
  assertOneLine(await run(cwd, ['replay', bug]), 2, /was not made by you here/);
});

test('a folder that may not be written', async (t) => {
  const cwd = project(t, { 'h.js': GOOD_HARNESS });
  // Root may write anywhere, so that it gives up its rights first, where others may read what is run.
  const user = process.getuid?.() === 0 ? 'nobody' : undefined;
  if ((await start('/', ['--version'], { user }).ended).code !== 0) return t.skip('not readable by others');
  chmodSync(cwd, 0o555);
  try {
    assertOneLine(await start(cwd, RUN, { user }).ended, 2, /trace\.db: cannot be created \(EACCES\)/);
  } finally {
    chmodSync(cwd, 0o700);
  }
});

test('a store in a place where there can be none', async (t) => {
  const cwd = project(t, { 'h.js': GOOD_HARNESS, file: '' });
  const ended = await run(cwd, [...RUN, '--store', join('file', 'trace.db')]);
  assertOneLine(ended, 2, /trace\.db: cannot be (?:opened|created) \((?:ENOTDIR|EEXIST)\)/);
});

test('no room: one line, and what was stored before is kept', async (t) => {
  const cwd = withStore(t, good, WRONG_HARNESS);
  const many = Array.from({ length: 30 }, (_, i) => WRONG_HARNESS.replace("'wrong'", `'wrong ${i}'`));
  writeFileSync(join(cwd, 'more.js'), many.map((text) => text.replace(/^import.*\n/gm, '')).join(''));
  const imports = [...new Set(WRONG_HARNESS.match(/^import.*$/gm))].join('\n');
  writeFileSync(join(cwd, 'more.js'), `${imports}\n${readFileSync(join(cwd, 'more.js'), 'utf8')}`);
  // In blocks of 1 kB: enough for the log of the store to begin, and not for all of it.
  const full = await run(cwd, ['run', 'more.js', '--store', join('.unweave', 'small.db')], {
    shell: 'ulimit -f 200',
  });
  assertOneLine(full, 3, /small\.db: (?:no space left|the device failed)/);
  await assertNoOrphans(cwd);
  // The store that was begun can be looked into and gone on with.
  assert.equal((await run(cwd, ['inspect', '--store', join('.unweave', 'small.db')])).code, 0);
  assert.match((await run(cwd, ['inspect'])).out, /RWW/);
});

test('two commands at once on one store: one does it, the other says why not', async (t) => {
  const cwd = project(t, { 'a.test.js': WRONG });
  const args = ['run', ...FEW, '--', 'node', '--test'];
  const ends = await Promise.all([run(cwd, args), run(cwd, args)]);
  const [done, refused] = ends[0].code === 1 ? ends : [ends[1], ends[0]];
  assert.equal(done.code, 1, done.err);
  assert.deepEqual(complaints(done), []);
  assertCalm(done);
  assertOneLine(refused, 3, /trace\.db: another unweave is writing it/);
  assert.equal((await run(cwd, args)).code, 1, 'nothing of the two is in the way of a third');
});

test('two commands at once on stores of their own: both find the bug', async (t) => {
  const cwd = project(t, { 'a.test.js': WRONG });
  const args = (store: string) => [
    ...['run', ...FEW, '--json', `${store}.json`, '--store', `${store}.db`],
    ...['--', 'node', '--test'],
  ];
  const ends = await Promise.all([run(cwd, args('one')), run(cwd, args('two'))]);
  for (const end of ends) {
    assert.equal(end.code, 1, end.err);
    assert.deepEqual(complaints(end), []);
    assertCalm(end);
  }
  const [one, two] = [readReport(cwd, 'one.json'), readReport(cwd, 'two.json')];
  assert.equal(one.bugs.length, 1);
  assert.deepEqual(one.bugs, two.bugs);
  await assertNoOrphans(cwd);
});
