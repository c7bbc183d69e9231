/** Small projects with something wrong in them. */
import { API } from '../batch/command.ts';

const TEST_HEAD = `import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
`;

/** A case that passes and has nothing to find. */
export const GREEN = `${TEST_HEAD}test('green', async () => { await sleep(1); assert.ok(true); });\n`;

/** A case with a lost update that the natural order does not show. */
export const WRONG = `${TEST_HEAD}
let balance = 0;
const deposit = async (n) => {
  const before = balance;
  await readFile('package.json');
  balance = before + n;
};
test('deposits', async () => {
  await Promise.all([deposit(1), sleep(20).then(() => deposit(2))]);
  assert.equal(balance, 3);
});
`;

export const RED = `${TEST_HEAD}test('red', async () => { await sleep(1); assert.equal(1, 2); });\n`;

/** Fails in every second process. */
export const FLAKY = `${TEST_HEAD}
const count = (() => { try { return Number(readFileSync('count', 'utf8')); } catch { return 0; } })();
writeFileSync('count', String(count + 1));
test('flaky', async () => { await Promise.all([sleep(1), readFile(import.meta.filename)]); assert.equal(count % 2, 0); });
`;

/** What the first one makes it makes once. */
export const LEANING = `${TEST_HEAD}
const look = (file) => Promise.all([1, 2].map(() => readFile(file)));
test('before', async () => {
  await look('package.json');
  if (readFileSync('begun', { encoding: 'utf8', flag: 'a+' }) === '') writeFileSync('made', '');
  writeFileSync('begun', 'x');
});
test('behind', async () => { await look('made'); rmSync('made'); });
`;

export const SYNTAX_ERROR = `${TEST_HEAD}test('broken', async () => { const = 1; });\n`;

/** A harness; \`body\` is what stands between the braces. */
export const harnessFile = (body: string): string =>
  `import { harness } from ${JSON.stringify(API)};\nimport { setTimeout as sleep } from 'node:timers/promises';\nharness({ ${body} });\n`;

export const GOOD_HARNESS = harnessFile(
  `name: 'good', setup: () => ({ n: 0 }), tasks: { async a(s) { await sleep(1); s.n += 1; }, async b(s) { await sleep(1); s.n += 1; } },
   check: (s) => { if (s.n !== 2) throw new Error('lost'); }`,
);

/** Two harness tasks that lose an update when a file is late. */
export const WRONG_HARNESS = `import { readFile } from 'node:fs/promises';\n${harnessFile(
  `name: 'wrong', setup: () => ({ n: 0 }),
   tasks: {
     async a(s) { const n = s.n; await readFile('package.json'); s.n = n + 1; },
     async b(s) { await sleep(20); const n = s.n; await readFile('package.json'); s.n = n + 1; },
   },
   check: (s) => { if (s.n !== 2) throw new Error('lost'); }`,
)}`;
