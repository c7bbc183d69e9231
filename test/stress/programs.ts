/** Programs that do not end, or not soon: of each the natural order ends, where it is not said otherwise. */

const HEAD = `import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
let n = 0;
const add = async (by) => { const before = n; await readFile(import.meta.filename); n = before + by; };
`;

/** Does what stands in the braces where an update was lost, which the natural order does not show. */
const lost = (then: string): string =>
  `${HEAD}test('adds', async () => {
  await Promise.all([add(1), sleep(200).then(() => add(2))]);
  if (n !== 3) { ${then} }
});\n`;

/** A test file by the name of what it does. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  loops: lost('for (;;);'),
  'loops in microtasks': lost('const go = () => Promise.resolve().then(go); await go();'),
  'loops in ticks': lost('const go = () => process.nextTick(go); go();'),
  polls: lost('while (n !== 3) await sleep(10);'),
  'waits for ever': lost('setInterval(() => {}, 1000); await new Promise(() => {});'),
  allocates: lost('const all = []; for (;;) all.push(new Array(1e6).fill(n));'),
  spawns: lost(
    `const sleeps = () => new Promise((done) => spawn('sleep', ['100']).on('exit', done));
    await Promise.all(Array.from({ length: 20 }, sleeps));`,
  ),
  'computes for long in any order': `${HEAD}test('slow', async () => {
  const end = Date.now() + 3000;
  while (Date.now() < end);
  await Promise.all([add(1), sleep(200).then(() => add(2))]);
});\n`,
  'many timers': `${HEAD}test('timers', () => Promise.all(Array.from({ length: 10_000 }, (_, i) => sleep(i % 7))));\n`,
  'loops while it is loaded': `${HEAD}test('never', () => {});\nfor (;;);\n`,
  'loops in the natural order': `${HEAD}test('never', async () => { await sleep(1); for (;;); });\n`,
  'a thread that loops': `import { Worker } from 'node:worker_threads';
${HEAD}test('thread', async () => {
  const worker = new Worker('for (;;);', { eval: true });
  await sleep(20);
  await worker.terminate();
});\n`,
};
