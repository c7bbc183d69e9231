/** The tutorial of docs/scenarios.md says what happens. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { project, run } from '../batch/command.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

test('the tutorial', async (t) => {
  const text = readFileSync(join(ROOT, 'docs/scenarios.md'), 'utf8');
  const [source, spec] = text.matchAll(/```ts\n(.*?)```/gs).map(([, code]) => code!);
  const [said] = text.matchAll(/```text\n(.*?)```/gs).map(([, words]) => words!);
  const cwd = project(t, { 'src/sessions.ts': source!, 'scenarios/sessions.ts': spec! });
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules', 'unweave'));
  const { code, out, err } = await run(cwd, ['run', '--confirm', '1', 'scenarios/']);
  assert.equal(code, 1, out + err);
  assert.match(out, /^each outcome of 3 scenarios is that of a serial order, in the \d+ orders executed$/m);
  // Both read before either writes: it is not told by a part of what a call reads or writes.
  assert.equal(out.match(/^✗ lost update: /gm)?.length, 2, out);
  const words = (lines: string): string => lines.replaceAll(/\s+/g, ' ').trim();
  assert.ok(words(out).includes(words(said!)), out);
});
