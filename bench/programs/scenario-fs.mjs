// The same two additions to a number in a file, as a harness and as a scenario.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

let last = Promise.resolve();

const add = ({ file }) => {
  const mine = last.then(async () => {
    const before = Number(await readFile(file, 'utf8'));
    await writeFile(file, String(before + 1));
  });
  last = mine;
  return mine;
};

const setup = async ({ dir }) => {
  const file = join(dir, 'counter');
  await writeFile(file, '0');
  return { file };
};

globalThis[Symbol.for('unweave.harnesses')].push({
  name: 'added',
  setup,
  tasks: { a: add, b: add },
  check: ({ file }) => readFile(file, 'utf8'),
});

globalThis[Symbol.for('unweave.scenarios')].push({
  name: 'added',
  setup,
  operations: { add: { run: add } },
  observe: ({ file }) => readFile(file, 'utf8'),
});
