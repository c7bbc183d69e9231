/** The tutorial of docs/scenarios.md says what happens. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { project, run } from '../batch/command.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

test('the tutorial', async (t) => {
  const document = readFileSync(join(ROOT, 'docs/scenarios.md'), 'utf8');
  const [source, spec] = document.matchAll(/```ts\n(.*?)```/gs).map(([, code]) => code!);
  const [said] = document.matchAll(/```text\n(.*?)```/gs).map(([, words]) => words!);
  const cwd = project(t, { 'src/sessions.ts': source!, 'scenarios/sessions.ts': spec! });
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules', 'unweave'));
  const { code, out, err } = await run(cwd, ['run', '--confirm', '1', 'scenarios/']);
  assert.equal(code, 1, out + err);
  assert.match(out, /^each outcome of 5 scenarios is that of a serial order, in the \d+ orders executed$/m);
  // Both read before either writes: it is not told by a part of what a call reads or writes.
  assert.equal(out.match(/^✗ lost update: /gm)?.length, 2, out);
  const words = (lines: string): string => lines.replaceAll(/\s+/g, ' ').trim();
  assert.ok(words(out).includes(words(said!)), out);

  const [, id] = /touch\("s1"\) ∥ login.*?unweave replay (\w+)/s.exec(out)!;
  const exported = await run(cwd, ['export', id!]);
  assert.equal(exported.code, 0, exported.err);
  const [file] = exported.out.split(' ');
  const text = readFileSync(join(cwd, file!), 'utf8');
  const [shown] = document.matchAll(/```ts\n(\/\/ Written .*?)```/gs).map(([, code]) => code!);
  assert.equal(plainly(text), plainly(shown!));
  const ran = () =>
    spawnSync(process.execPath, ['--test', file!], { cwd, env: plainEnvironment(), encoding: 'utf8' });
  const before = ran();
  assert.match(before.stdout, /no serial order of these calls gives this outcome/);
  assert.match(
    before.stdout,
    /this run +then \{ .* \}\n +touch\("s1"\) < login\("s1", "cas"\) +then \{ seen: 0/,
  );
  assert.equal(before.status, 1);
  writeFileSync(join(cwd, 'src/sessions.ts'), repaired(source!));
  const after = ran();
  assert.equal(after.status, 0, after.stdout);
  // Another pair of calls than the order is of.
  writeFileSync(join(cwd, file!), text.replace(/^ {4}'touch/m, "    'get"));
  assert.match(ran().stdout, /an order of other calls: touch\("s1"\), login\("s1", "cas"\)/);
});

/** Without the number of the bug. */
const plainly = (text: string): string => text.replaceAll(/\bb[0-9a-f]{8}\b/g, 'b7f3a1').trim();

/** A test that a user runs is not one of this runner. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  return env;
}

/** All that reads and writes a session does so in its turn. */
function repaired(source: string): string {
  const queued = `last: Promise<unknown> = Promise.resolve();
  turn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(work);
    this.last = mine.catch(() => {});
    return mine;
  }
  set(id: string, session: Session): Promise<void> { return this.turn(() => this.write(id, session)); }
  touch(id: string): Promise<void> { return this.turn(() => this.change(id)); }
  async write(`;
  return source
    .replace('async set(', queued)
    .replace('async touch(', 'async change(')
    .replace('await this.set(', 'await this.write(');
}
