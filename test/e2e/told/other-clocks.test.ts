/** Tests that compare clocks: the clock of a run leaps over what nobody does, and those of others do not. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

const HEAD = `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
`;

const DATABASE = `${HEAD}import { DatabaseSync } from 'node:sqlite';
test('is later there as well', async () => {
  const db = new DatabaseSync(':memory:');
  const now = () => Date.parse(db.prepare("select strftime('%Y-%m-%dT%H:%M:%fZ') as at").get().at);
  let count = 0;
  const add = async () => { const seen = count; await readFile('a.test.mjs'); count = seen + 1; };
  const behind = readFile('a.test.mjs').then(() => readFile('a.test.mjs')).then(add);
  const began = now();
  await Promise.all([add(), behind]);
  await sleep(1000);
  assert.ok(now() - began >= 990);
  assert.equal(count, 2);
});
`;

test('a test that reads the clock of a database is run at real pace, and its bugs are found', async (t) => {
  const cwd = project(t, { 'a.test.mjs': DATABASE });
  const few = ['--max-schedules', '3', '--confirm', '1', '--json', 'out.json'];
  const { code, out } = await run(cwd, ['run', ...few, '--', 'node', '--test']);
  assert.equal(code, 1, out);
  assert.match(out, /lost update: .*`a\.test\.mjs:count`/);
  assert.match(out, /here only where no clock goes ahead of those of others: run so, at\s+real pace/);
  const [bug] = readReport(cwd).bugs;
  const exported = await run(cwd, ['export', bug!.id]);
  const file = /\S+\.order\.json/.exec(exported.out)?.[0] ?? '';
  const { limits } = JSON.parse(readFileSync(join(cwd, file), 'utf8'));
  assert.equal(limits.realPace, true, 'its order is forced so as well');
});
