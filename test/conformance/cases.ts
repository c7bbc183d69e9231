/** Tests of test262: what their heads say, and the ways in which each is to be run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One way to run one test. */
export interface Scenario {
  /** Relative to the folder of tests. */
  readonly file: string;
  readonly mode: 'sloppy' | 'strict' | 'module' | 'raw';
  /** Files of the harness, in the order in which they are to run. */
  readonly includes: readonly string[];
  /** It tells by `print` that it is done. */
  readonly async: boolean;
}

/** Files of tests below `folder`, in order. */
export function testFiles(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter((file) => file.endsWith('.js') && !file.includes('_FIXTURE')).sort();
}

/** The ways to run a test of a folder. */
export function scenariosOf(folder: string, file: string): Scenario[] {
  const head = /\/\*---([\s\S]*?)---\*\//.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? '';
  const flags = listIn(head, 'flags');
  const async = flags.includes('async');
  const harness = [
    'assert.js',
    'sta.js',
    ...(async ? ['doneprintHandle.js'] : []),
    ...listIn(head, 'includes'),
  ];
  const scenario = (mode: Scenario['mode']): Scenario => ({ file, mode, includes: harness, async });
  if (flags.includes('raw')) return [{ ...scenario('raw'), includes: [] }];
  if (flags.includes('module')) return [scenario('module')];
  if (flags.includes('onlyStrict')) return [scenario('strict')];
  if (flags.includes('noStrict')) return [scenario('sloppy')];
  return [scenario('sloppy'), scenario('strict')];
}

/** A list of the head, in either notation of YAML. */
function listIn(head: string, name: string): string[] {
  const inline = new RegExp(`^${name}:\\s*\\[([^\\]]*)\\]`, 'm').exec(head);
  if (inline) return inline[1]!.split(',').map((entry) => entry.trim());
  const block = new RegExp(`^${name}:\\s*\\n((?:[ \\t]+-.*\\n?)+)`, 'm').exec(head);
  return block ? block[1]!.split('\n').flatMap((line) => /-\s*(\S+)/.exec(line)?.[1] ?? []) : [];
}
