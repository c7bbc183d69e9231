/**
 * `node test/predictor/threads/rules/main.ts [PART]`: switches each core rule (whose name contains PART) off, in a
 * copy of the sources, and runs the tests that are to notice. Exits with 1 if they do not, or if they fail
 * although nothing is changed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporary } from '../../../temporary.ts';
import { RULES, type Rule } from './rules.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const TESTS = 'test/predictor/threads';

/** Whether the tests pass in a copy of the sources. */
async function passes(folder: string, tests: readonly string[]): Promise<boolean> {
  const files = tests.map((name) => join(folder, TESTS, name));
  const child = spawn(process.execPath, ['--no-warnings', '--test', '--test-concurrency=1', ...files], {
    cwd: folder,
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number];
  return code === 0;
}

/** Puts the changed file in place; returns what restores it. */
function switchOff(folder: string, { name, file, from, to }: Rule): () => void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${name}: ${file} does not hold its text exactly once`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  return () => writeFileSync(path, text);
}

const part = process.argv[2] ?? '';
const rules = RULES.filter(({ name }) => name.includes(part));
const folder = temporary('unweave-rules');
let missed = 0;
try {
  for (const each of ['predictor', 'data', TESTS, 'package.json'])
    cpSync(join(ROOT, each), join(folder, each), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const all = [...new Set(rules.flatMap(({ tests }) => tests))];
  if (!(await passes(folder, all))) throw new Error('the tests fail although no rule is off');
  for (const rule of rules) {
    const restore = switchOff(folder, rule);
    const isMissed = await passes(folder, rule.tests);
    restore();
    if (isMissed) missed += 1;
    console.log(`${isMissed ? 'MISSED  ' : 'noticed '} ${rule.name}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${rules.length - missed} of ${rules.length} rules: the tests fail without them`);
process.exit(missed === 0 ? 0 : 1);
