/** Start of a program of 200 files: plain, with our preload and nothing in the cache, and with a full cache. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporary } from '../../test/temporary.ts';
import { PRELOADED } from '../lib/contest.ts';
import { type Case, median, type Row } from '../lib/rows.ts';

const FILES = 200;

const moduleText = (i: number): string => `
import { readFile } from 'node:fs/promises';
${i + 1 < FILES && i % 10 !== 9 ? `export * as next from './m${i + 1}.mjs';` : ''}
const cache = new Map();
let hits = 0;
export class Store${i} {
  items = [];
  async load(path) {
    if (cache.has(path)) { hits++; return cache.get(path); }
    const text = await readFile(path, 'utf8');
    cache.set(path, text);
    this.items.push(text.length);
    return text;
  }
  total() { return this.items.reduce((a, b) => a + b, hits); }
}
export const make = (n) => Array.from({ length: n }, () => new Store${i}()).map((s) => s.total());
`;

function project(): string {
  const dir = temporary('bench-startup');
  mkdirSync(join(dir, 'src'));
  for (let i = 0; i < FILES; i++) writeFileSync(join(dir, 'src', `m${i}.mjs`), moduleText(i));
  const imports = Array.from({ length: FILES / 10 }, (_, i) => `import './src/m${i * 10}.mjs';`);
  writeFileSync(join(dir, 'main.mjs'), imports.join('\n'));
  return dir;
}

const run: Case = async ({ rounds }) => {
  const dir = project();
  const cacheDir = join(dir, 'cache');
  const env = { ...process.env, UNWEAVE_CONFIG: JSON.stringify({ cwd: dir, cacheDir }) };
  const start = (options: readonly string[]): number => {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', ...options, 'main.mjs'], {
      cwd: dir,
      env,
    });
    if (status !== 0) throw new Error(String(stderr));
    return performance.now() - started;
  };
  const plain: number[] = [];
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(start([]));
    rmSync(cacheDir, { recursive: true, force: true });
    cold.push(start(PRELOADED));
    warm.push(start(PRELOADED));
  }
  rmSync(dir, { recursive: true, force: true });
  const peer = { name: 'plain', value: median(plain) };
  const row = (what: string, values: number[], goal: Row['goal']): Row => ({
    what: `start of ${FILES} files, ${what}`,
    unit: 'ms',
    ours: median(values),
    peer,
    pairs: values.map((ms, round) => ms / plain[round]!),
    goal,
  });
  return [row('cold cache', cold, null), row('warm cache', warm, { atMost: 1.5 })];
};

export default run;
