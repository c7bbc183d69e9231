/** The command line of Vitest, as far as it matters where the configuration comes from and what a run writes. */
import { parseArgs } from 'node:util';

export interface CommandLine {
  readonly config: string | undefined;
  readonly root: string | undefined;
  /** All others, as they were given. */
  readonly rest: readonly string[];
}

/** Commands that run no tests, or not once. */
const OTHERS: ReadonlySet<string> = new Set(['init', 'list', 'bench', 'doctor']);

/** Null where no tests are run. */
export function parseCommandLine(args: readonly string[], isForced: boolean): CommandLine | null {
  const { tokens, values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      config: { type: 'string', short: 'c' },
      root: { type: 'string', short: 'r' },
      pool: { type: 'string' },
      runner: { type: 'string' },
      reporter: { type: 'string', multiple: true },
      outputFile: { type: 'string' },
      shard: { type: 'string' },
    },
  });
  if (OTHERS.has(positionals[0] ?? '')) return null;
  const dropped = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== 'option' || !isDropped(token.name, token.value, isForced)) continue;
    dropped.add(token.index);
    if (token.value !== undefined && token.inlineValue === false) dropped.add(token.index + 1);
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    config: text(values['config']),
    root: text(values['root']),
    rest: args.filter((_, at) => !dropped.has(at)),
  };
}

function isDropped(name: string, value: string | undefined, isForced: boolean): boolean {
  if (name === 'config' || name === 'c') return true;
  // Threads are not looked into.
  if (name === 'pool') return value === 'threads';
  // A run of one case is not to write what is about all of them.
  return isForced && /^(?:reporter|outputFile|coverage|shard|typecheck|update|u)(?:\.|$)/.test(name);
}
