/** Runs one of the programs under a budget and takes the time. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporary } from '../temporary.ts';

const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));

export interface Stressed {
  readonly code: number | null;
  readonly seconds: number;
  /** Everything that it wrote. */
  readonly out: string;
}

/** `--total-time` of so many seconds for a project with this test file alone, and this configuration. */
export async function underBudget(text: string, seconds: number, config: object = {}): Promise<Stressed> {
  const cwd = temporary('stress');
  try {
    writeFileSync(join(cwd, 'a.test.mjs'), text);
    writeFileSync(join(cwd, 'unweave.config.json'), JSON.stringify(config));
    const started = performance.now();
    const args = [BIN, 'run', '--total-time', String(seconds), '--', 'node', '--test'];
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const child = spawn(process.execPath, args, { cwd, env });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, seconds: (performance.now() - started) / 1000, out };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
