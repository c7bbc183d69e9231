/** One child process against its test: found, and shown again by a command of its own, which starts from what the store keeps. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

const CHILD = `import { readFile, writeFile } from 'node:fs/promises';
const [, , path] = process.argv;
process.once('message', async () => {
  await writeFile(path, String(Number(await readFile(path, 'utf8')) + 1));
  process.disconnect();
});
process.send('there');
`;
/** \`when\`: what the test waits for before it counts, too. */
const counts = (name: string, when: string): string => `test('${name}', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'one-')), 'count');
  await writeFile(path, '0');
  const child = fork(new URL('./child.mjs', import.meta.url), [path]);
  await once(child, 'message');
  const end = once(child, 'exit');
  child.send('begin');
  await ${when};
  await writeFile(path, String(Number(await readFile(path, 'utf8')) + 1));
  await end;
  assert.equal(await readFile(path, 'utf8'), '2');
});
`;
const HEAD = `import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
`;

test('a lost update of a child and its test is confirmed, replayed and explained; who awaits its end is told nothing', async (t) => {
  const cwd = project(t);
  writeFileSync(join(cwd, 'child.mjs'), CHILD);
  writeFileSync(join(cwd, 'a.test.mjs'), HEAD + counts('meanwhile', 'sleep(400)') + counts('behind', 'end'));
  const options = ['--max-schedules', '6', '--confirm', '1', '--max-stall', '3000'];
  const ended = await run(cwd, ['run', '--json', 'out.json', ...options, '--', 'node', '--test']);
  const { bugs, tests } = readReport(cwd);
  const nameOf = (id: string) => tests.find((each) => each.id === id)?.name;
  assert.deepEqual([...new Set(bugs.map((bug) => nameOf(bug.test)))], ['meanwhile'], ended.out);
  const [bug] = bugs;
  assert.match(bug!.entity ?? '', /count \(content\)$/);
  const tasks = [bug!.first, bug!.remote, bug!.second].map((access) => access?.task);
  assert.ok(tasks.includes('child 1 (node child.mjs)'), String(tasks));
  assert.deepEqual(
    tests.flatMap(({ beside }) => beside.filter(({ within }) => !within)),
    [],
  );
  const again = await run(cwd, ['replay', bug!.id]);
  assert.match(again.out, /fail/i);
  assert.doesNotMatch(again.out, /diverged|infeasible/);
});

/**
 * What is natural for a child that is not asked, which goes on while the test stands still, is not where it asks. It stands still for
 * longer than a child takes to write on a busy machine, and for less than one asks.
 */
const STANDING = `test('stands still', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'one-')), 'ready');
  const child = fork(new URL('./ready.mjs', import.meta.url), [path]);
  const end = once(child, 'exit');
  await once(child, 'message');
  for (const ms of [10, 90, 400, 1500])
    if (!existsSync(path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : 'nothing';
  await end;
  assert.equal(text, 'ready');
});
`;

test('a test that passes, and fails as soon as its child asks, is a finding', async (t) => {
  const cwd = project(t);
  const ready = `import { writeFileSync } from 'node:fs';
process.send('there', () => {
  writeFileSync(process.argv[2], 'ready');
  process.disconnect();
});
`;
  writeFileSync(join(cwd, 'ready.mjs'), ready);
  const head = HEAD.replace('{ mkdtempSync }', '{ existsSync, mkdtempSync, readFileSync }');
  writeFileSync(join(cwd, 'a.test.mjs'), head + STANDING);
  const options = ['--max-schedules', '4', '--confirm', '1', '--max-stall', '3000'];
  const ended = await run(cwd, ['run', '--json', 'out.json', ...options, '--', 'node', '--test']);
  const { bugs } = readReport(cwd);
  assert.equal(bugs.length, 1, ended.out);
  assert.match(JSON.stringify(bugs[0]), /'nothing'|ready/);
});
