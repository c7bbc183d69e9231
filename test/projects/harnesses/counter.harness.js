import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '../../../harnesses/api.ts';
import { runs } from './state.js';

async function increment({ file }) {
  const count = Number(await readFile(file, 'utf8'));
  await writeFile(file, String(count + 1));
}

const setup = async ({ dir }) => {
  const file = join(dir, 'count');
  await writeFile(file, '0');
  runs.count += 1;
  return { file };
};

harness({
  name: 'lost update',
  setup,
  tasks: { first: increment, second: (state) => sleep(50).then(() => increment(state)) },
  check: async ({ file }) => assert.equal(await readFile(file, 'utf8'), '2'),
  expect: { bug: true },
});

harness({
  name: 'module state is fresh',
  setup,
  tasks: { only: () => sleep(5) },
  check: () => assert.equal(runs.count, 1),
  expect: { bug: false },
});
