/** Reports by name: each in its file, several at once, and by itself where the environment asks for it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { everyState, everyStateViews } from '../report/samples.ts';
import { answering, emptyFolder, run } from './io.ts';

const found = answering({ report: everyState, views: everyStateViews, exitCode: 1 });
const text = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

test('several at once, each with a file: one that is named, one by default', async () => {
  const cwd = emptyFolder();
  const { code, out } = await run(
    ['run', 'h/', '--reporter', 'sarif=out/s.json,junit', '--reporter', 'gitlab'],
    found,
    {
      cwd,
    },
  );
  assert.equal(code, 1);
  assert.match(out, /two deposits/, 'the terminal is told as ever');
  assert.equal(JSON.parse(text(cwd, 'out/s.json')).version, '2.1.0');
  assert.match(text(cwd, 'unweave-junit.xml'), /^<\?xml/);
  assert.equal(JSON.parse(text(cwd, 'gl-code-quality-report.json')).length, 2);
  assert.doesNotMatch(out, /^::/m);
});

test('Markdown for a comment', async () => {
  const cwd = emptyFolder();
  await run(['run', 'h/', '--reporter', 'markdown'], found, { cwd });
  assert.match(text(cwd, 'unweave-report.md'), /^## Unweave: 1 bug[\s\S]*### Races in your code: 1\n/);
});

test('standard output is for one report, and then for nothing else', async () => {
  const { out } = await run(['run', 'h/', '--reporter', 'sarif=-'], found);
  assert.equal(JSON.parse(out).version, '2.1.0');
  const both = await run(['run', 'h/', '--reporter', 'sarif=-', '--json', '-'], found);
  assert.deepEqual([both.code, both.calls.length], [2, 0]);
  assert.match(both.err, /only one report can go to standard output, not json and sarif/);
});

test('a reporter that there is not is wrong usage', async () => {
  const { code, err } = await run(['run', 'h/', '--reporter', 'sariff'], found);
  assert.equal(code, 2);
  assert.match(err, /expected html, sarif, junit, gitlab, markdown, github,/);
});

test('in GitHub Actions annotations and the summary come by themselves, behind what is there', async () => {
  const cwd = emptyFolder();
  const summary = join(cwd, 'summary.md');
  writeFileSync(summary, 'before\n');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: join(cwd, '..') };
  const { out } = await run(['run', 'h/'], found, { cwd, env });
  assert.match(out, /^::error title=lost update,file=[^/,]+\/src\/bank\.ts,line=6,col=5::/m);
  assert.match(text(cwd, 'summary.md'), /^before\n## Unweave: 1 bug/);
  const quiet = await run(['run', 'h/', '--json', '-'], found, { cwd, env });
  assert.equal(JSON.parse(quiet.out).version, 1, 'standard output holds the report alone');
  assert.match(quiet.err, /^::error /m);
});

test('in GitHub Actions no line of the report for people is a command, and the annotations are', async () => {
  const views = { ...everyStateViews, notices: ['::error::injected', '##[warning]injected'] };
  const answer = answering({ report: everyState, views, exitCode: 1 });
  const { out } = await run(['run', 'h/'], answer, { env: { GITHUB_ACTIONS: 'true' } });
  const [, , report = '', rest = ''] =
    /^::stop-commands::(\S+)\n([\s\S]*)\n::\1::\n([\s\S]*)$/.exec(out) ?? [];
  assert.match(report, /injected/);
  assert.match(rest, /^::error title=lost update/);
  assert.doesNotMatch(rest, /injected/);
  const again = await run(['run', 'h/'], answer, { env: { GITHUB_ACTIONS: 'true' } });
  assert.notEqual(again.out.split('\n')[0], out.split('\n')[0], 'nobody can know the word that ends it');
});
