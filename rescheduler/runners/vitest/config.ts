/** The user's configuration with our plugin and our runner in it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isLookedInto, type Job } from '../../subjects/job.ts';
import { bridgeText, placeOf } from '../bridge.ts';
import type { CommandLine } from './arguments.ts';
import { instrumenting } from './plugin.ts';
import { CONFIG_NAMES, nameOfFolder, projectsAt, workspaceAt } from './projects.ts';

/** What is used of Vite's configuration; the rest passes through. */
interface VitestConfig {
  readonly extends?: boolean | string;
  readonly root?: string;
  readonly plugins?: readonly unknown[];
  readonly test?: Tests;
}

interface Tests {
  readonly runner?: string;
  readonly pool?: unknown;
  readonly projects?: readonly unknown[];
  readonly [option: string]: unknown;
}

interface Vite {
  loadConfigFromFile(env: unknown, file: string, root: string): Promise<{ config: VitestConfig } | null>;
}

/** The function that the configuration file of ours calls. */
export function configured(
  folder: string,
  job: Job,
  line: CommandLine,
): (env: unknown) => Promise<VitestConfig> {
  const root = resolve(line.root ?? '.');
  return async (env) => {
    const vite = (await import(pathToFileURL(viteOf(folder)).href)) as Vite;
    const load = async (file: string, at: string) => (await vite.loadConfigFromFile(env, file, at))?.config;
    const file = line.config === undefined ? nearest(root) : resolve(root, line.config);
    const config = await withWorkspace((file && (await load(file, root))) || {}, root, folder);
    return withOurs(config, { folder, job, root, env, load });
  };
}

/** Finds packages as Vitest does. */
const requireOf = (folder: string) => createRequire(join(folder, 'package.json'));

/** As a module imports it: what Vite 5 gives to `require` knows no configurations. */
const viteOf = (folder: string): string =>
  join(dirname(requireOf(folder).resolve('vite/package.json')), 'dist/node/index.js');

/** Before Vitest 4 projects could be listed apart. */
async function withWorkspace(config: VitestConfig, root: string, folder: string): Promise<VitestConfig> {
  if (!isBefore4(folder) || config.test?.projects) return config;
  const { workspace, ...test } = config.test ?? {};
  const projects = await workspaceAt(workspace, root);
  if (projects === null) return config;
  if (majorOf(folder) < 3) throw new Error('unweave: a workspace of Vitest before 3 is not supported');
  return { ...config, test: { ...test, projects } };
}

/** The file that Vitest would find, from the root upwards. */
function nearest(root: string): string | null {
  for (let at = root; ; at = dirname(at)) {
    const found = CONFIG_NAMES.map((name) => join(at, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
    if (at === dirname(at)) return null;
  }
}

interface GivenConfig {
  readonly folder: string;
  readonly job: Job;
  readonly root: string;
  readonly env: unknown;
  load(file: string, root: string): Promise<VitestConfig | undefined>;
}

/** `inherits`: it has our plugin and our runner by the configuration that it extends. */
async function withOurs(config: VitestConfig, given: GivenConfig, inherits = false): Promise<VitestConfig> {
  const { job, folder } = given;
  const root = config.root === undefined ? given.root : resolve(given.root, config.root);
  const test = config.test ?? {};
  const plugins = [...(config.plugins ?? [])];
  // Of threads what their workers load is instrumented, by these: who reads here has no part in the execution.
  const isInstrumented = isLookedInto(job) && job.mode !== 'threads';
  if (isInstrumented && !inherits) plugins.push(instrumenting());
  const runner =
    inherits && test.runner === undefined
      ? {}
      : { runner: runnerFile(folder, test.runner === undefined ? null : resolve(root, test.runner)) };
  return {
    ...config,
    plugins,
    test: {
      ...test,
      ...runner,
      // Threads of the command are not looked into.
      ...((test.pool ?? poolOf(folder)) === 'threads' ? { pool: 'forks' } : {}),
      // Instrumented text is of this command only.
      ...withoutCache(test, folder),
      ...(test.projects ? { projects: await projects(test.projects, { ...given, root }) } : {}),
      ...(job.mode === 'record' ? {} : alone(test, job)),
    },
  };
}

/** All projects, written out; those in folders come last, as they do in Vitest. */
async function projects(given: readonly unknown[], of: GivenConfig): Promise<VitestConfig[]> {
  const inline = given
    .filter((each) => typeof each !== 'string')
    .map(async (each) => {
      const config = (await (typeof each === 'function' ? each(of.env) : each)) as VitestConfig;
      return withOurs(config, of, inheritsRoot(config, of.folder));
    });
  const named = projectsAt(
    given.filter((each) => typeof each === 'string'),
    of.root,
  );
  const inFolders = named.map(async ({ folder, file }) => {
    const config = (file && (await of.load(file, folder))) || {};
    if (config.test?.projects)
      throw new Error(`unweave: ${file} has projects of its own, which is not supported`);
    const test = { ...config.test, name: config.test?.['name'] || nameOfFolder(folder) };
    return {
      ...(await withOurs({ ...config, root: resolve(folder, config.root ?? '.'), test }, of)),
      extends: false,
    };
  });
  return Promise.all([...inline, ...inFolders]);
}

/** Since Vitest 5 a project that is written out extends the configuration around it unless it says otherwise. */
const inheritsRoot = (config: VitestConfig, folder: string): boolean =>
  config.extends === undefined ? majorOf(folder) >= 5 : config.extends === true;

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

const majorOf = (folder: string): number => Number.parseInt(versionOf(folder), 10);

/** What Vitest runs tests in where the user says nothing. */
const poolOf = (folder: string): string => (majorOf(folder) < 2 ? 'threads' : 'forks');

const isBefore4 = (folder: string): boolean => majorOf(folder) < 4;

/** Before 4.0.7 workers kept the list of their files to themselves. */
const keepsItsFiles = (folder: string): boolean =>
  isBefore4(folder) || /^4\.0\.[0-6](?:\D|$)/.test(versionOf(folder));

/** Before 4.1 the class of runners had a module of its own. */
const isBeforeTestRunner = (folder: string): boolean => /^(?:[0-3]\.|4\.0\.)/.test(versionOf(folder));

/** The option that Vitest 4 calls an experiment is deprecated in 5. */
const withoutCache = (test: Tests, folder: string): Tests =>
  majorOf(folder) >= 5
    ? { fsModuleCache: false }
    : { experimental: { ...(test['experimental'] as object), fsModuleCache: false } };

/**
 * A run of one case looks into its file only, and writes nothing that is about all of them; nor are types checked, which takes its
 * time and whose errors in other files are none of the case.
 */
function alone(test: Tests, job: Exclude<Job, { mode: 'record' }>): object {
  return {
    include: job.target ? [literally(job.target.file)] : test['include'],
    coverage: { ...(test['coverage'] as object), enabled: false },
    typecheck: { ...(test['typecheck'] as object), enabled: false },
    reporters: ['default'],
    outputFile: undefined,
    // A file that is run again is to find its modules fresh.
    ...(job.mode === 'serve' ? { isolate: true } : {}),
  };
}

/** A glob that means this file. */
const literally = (file: string): string => file.replace(/[\\*?[\]{}()!+@]/g, '\\$&');

let runners = 0;

/** A module that gives Vitest our runner; `own`: the user's own. */
function runnerFile(folder: string, own: string | null): string {
  // By their paths: where a page is simulated, Vitest before 4 does not know a file by its URL.
  const from = (module: string) => `from ${JSON.stringify(join(folder, 'dist', module))};`;
  const parts = isBeforeTestRunner(folder)
    ? `import { VitestTestRunner as Native } ${from('runners.js')}
import { getFn as testFn } ${from('suite.js')}`
    : `import { TestRunner as Native } ${from('index.js')}
const testFn = Native.getTestFn;`;
  const startTests = keepsItsFiles(folder)
    ? `import { startTests } from ${JSON.stringify(requireOf(folder).resolve('@vitest/runner'))};`
    : 'const startTests = undefined;';
  const base = own === null ? 'const Base = Native;' : `import Base from ${JSON.stringify(own)};`;
  const file = placeOf(`runner-${runners++}.mjs`);
  const text = `export default ${bridgeText('vitest')}.runner(Base, testFn, vi, startTests);`;
  writeFileSync(file, `import { vi } ${from('index.js')}\n${startTests}\n${parts}\n${base}\n${text}\n`);
  return file;
}
