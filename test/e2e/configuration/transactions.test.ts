/** `atomic` and `notAtomic` of the configuration mean what the comments in the source mean. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { project, readReport, run } from './support.ts';

const SHOP = `import { readFile } from 'node:fs/promises';
let stock = 0;
const move = async (n) => {
  const before = stock;
  await readFile('package.json');
  stock = before + n;
};
export const trade = async (n) => { await move(n); };
`;
const TEST = `import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { trade } from '../src/shop.js';
test('trades', () => Promise.all([trade(1), sleep(20).then(() => trade(2))]));
`;

/** Cut points of a test whose transactions are told by the configuration, or by comments at the two functions. */
async function cutPoints(
  t: Parameters<typeof project>[0],
  config: object,
  move = '',
  trade = '',
): Promise<number> {
  const source = SHOP.replace('const move', `${move}\nconst move`).replace('export', `${trade}\nexport`);
  const cwd = project(t, { 'src/shop.js': source, 'test/shop.test.js': TEST });
  writeFileSync(join(cwd, 'unweave.config.json'), JSON.stringify(config));
  const ended = await run(cwd, ['run', '--max-schedules', '0', '--json', 'out.json', '--', 'node', '--test']);
  // Nothing is judged where nothing may be forced.
  assert.equal(ended.code, 3, ended.err);
  return readReport(cwd).tests[0]!.cutPoints;
}

test('notAtomic takes a function out, atomic puts one around it in again; comments say the same', async (t) => {
  const plain = await cutPoints(t, {});
  assert.ok(plain > 0);
  const none = { notAtomic: ['src/*.js#move', '#trade'] };
  assert.equal(await cutPoints(t, none), 0);
  assert.equal(await cutPoints(t, {}, '// unweave: not-atomic', '// unweave: not-atomic'), 0);
  const outer = { notAtomic: ['src/shop.js#move'], atomic: ['src/shop.js#trade'] };
  assert.equal(await cutPoints(t, outer), plain);
  assert.equal(await cutPoints(t, {}, '// unweave: not-atomic', '// unweave: atomic'), plain);
  assert.equal(await cutPoints(t, { notAtomic: ['#move'] }, '// unweave: atomic'), plain, 'the source wins');
});
