import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dir = mkdtempSync(join(tmpdir(), 'counter-'));
const file = join(dir, 'count');
writeFileSync(file, '0');

async function increment(delay) {
  await new Promise((resolve) => setTimeout(resolve, delay));
  const count = Number(await readFile(file, 'utf8'));
  await writeFile(file, String(count + 1));
}

await Promise.all([increment(1), increment(40)]);
const count = readFileSync(file, 'utf8');
rmSync(dir, { recursive: true });
assert.equal(count, '2');
