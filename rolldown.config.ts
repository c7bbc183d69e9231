/**
 * The compiled package: a process under test starts with a few files instead of some two hundred and fifty. What is found
 * by its path at run time (processes, preloads, what is loaded late, what users import) stays a file of its own, at
 * the place of its source; what several of them share is in `chunks/`, once.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';
import { chunks } from './rolldown.chunks.ts';

const ROOT = import.meta.dirname;

const FOUND_BY_PATH = [
  'cli/bin.ts',
  'data/user-config.ts',
  'harnesses/api.ts',
  'monitor/children/follow-entry.ts',
  'monitor/{register,loader/own-modules,loader/planner-entry,locks/api,threads/api}.ts',
  'monitor/instrument/{instrument,threads/index}.ts',
  'monitor/modules/rewrite-{cjs,esm}.ts',
  'rescheduler/**/*-entry.ts',
  'rescheduler/loops/{program,start,gated/begin}.ts',
  'rescheduler/subjects/{case-rerun,early,preload,preload-hooks,warm-preload,worker-serve}.ts',
  'rescheduler/tokens/pool-worker.ts',
  'rescheduler/runners/node-test/{cases,mini-test,shim}.ts',
  'rescheduler/runners/vitest/{command,worker}.ts',
];

const entries = (patterns: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    globSync(patterns, { cwd: ROOT })
      .filter((file) => !file.endsWith('.d.ts'))
      .map((file) => [file.replace(/\.c?ts$/, ''), file]),
  );

/** Where a module is: where it would be, had it been compiled by itself. */
const places: Plugin = {
  name: 'places',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      const place = relative(ROOT, id).replace(/\.ts$/, '.js');
      return code.replaceAll('import.meta.url', `import.meta.at(${JSON.stringify(place)})`);
    },
  },
  renderChunk(code, { fileName }) {
    return code.replace(/import\.meta\.at\("([^"]+)"\)/g, (_, place: string) => {
      const path = relative(dirname(fileName), place);
      return `new URL(${JSON.stringify(path.startsWith('.') ? path : `./${path}`)}, import.meta.url).href`;
    });
  },
};

/**
 * Put in as well, but for what is not used of it: it comes in a hundred files, half of them messages in other
 * languages, which each start of the command would look up and load.
 */
const PUT_IN = 'zod';
const partOf = (name: string): string => `/node_modules/${name}/`;

/** What is put in comes with its licence. */
const licence: Plugin = {
  name: 'licence',
  generateBundle() {
    const source = readFileSync(new URL(`node_modules/${PUT_IN}/LICENSE`, import.meta.url), 'utf8');
    this.emitFile({ type: 'asset', fileName: `chunks/LICENSE-${PUT_IN}`, source });
  },
};

const shared = {
  cwd: ROOT,
  platform: 'node',
  external: new RegExp(`^(?!${PUT_IN}$)[^./]`),
  treeshake: { moduleSideEffects: (id: string) => !id.includes(partOf(PUT_IN)) },
} as const;

export default defineConfig([
  {
    ...shared,
    input: entries(FOUND_BY_PATH),
    // A program may put something else in its place.
    transform: { inject: { process: 'node:process' } },
    plugins: [places, licence],
    output: {
      dir: 'dist',
      cleanDir: true,
      chunkFileNames: 'chunks/[name]-[hash].js',
      keepNames: true,
      codeSplitting: { groups: chunks(ROOT, FOUND_BY_PATH) },
    },
  },
  {
    ...shared,
    input: entries(['harnesses/order.ts', '{monitor,rescheduler}/**/*.cts']),
    output: { dir: 'dist', format: 'cjs', entryFileNames: '[name].cjs' },
  },
]);
