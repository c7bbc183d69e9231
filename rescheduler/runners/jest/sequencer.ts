/**
 * Jest's own sequencer, or the user's. Where it has put the files of tests in order, their projects are given our runtime:
 * a configuration is complete there, whatever presets and projects it was made of.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isLookedInto, type Job } from '../../subjects/job.ts';
import { stableName } from '../../subjects/stable-name.ts';
import type {
  ConfigModule,
  ProjectConfig,
  Sequencer,
  SequencerClass,
  SequencerOptions,
  TestContext,
  TestFile,
} from './api.ts';
import type { JestCommandLine } from './arguments.ts';
import { contextsOf, isOfProject, labelsOf } from './projects.ts';

/** What projects get in the place of Jest's. */
interface OurModules {
  readonly runtime: string;
  /** Of one file, where that is run again and again. */
  readonly runner: string;
}

export function sequencerFrom(
  folder: string,
  line: JestCommandLine,
  job: Job,
  ours: OurModules,
): SequencerClass {
  const target = job.mode === 'record' ? null : job.target;
  return class implements Sequencer {
    private readonly options: ConstructorParameters<SequencerClass>[0];
    private inner: Sequencer | null = null;

    constructor(options: ConstructorParameters<SequencerClass>[0]) {
      this.options = options;
    }

    async shard(tests: TestFile[], options: unknown): Promise<TestFile[]> {
      const inner = await this.own();
      if (!inner.shard) throw new TypeError('the test sequencer has no shard method');
      return inner.shard(tests, options);
    }

    async sort(tests: TestFile[]): Promise<TestFile[]> {
      const sorted = await (await this.own()).sort(tests);
      const labels = labelsOf(this.options?.contexts ?? contextsOf(tests));
      const given = new Map<TestContext, TestContext>();
      const wanted = target ? sorted.filter((test) => isTarget(test, labels)) : sorted;
      return wanted.map((test) => {
        const { context } = test;
        const known = given.get(context) ?? { ...context, config: withOurs(context, labels) };
        given.set(context, known);
        return { ...test, context: known };
      });
    }

    async allFailedTests(tests: TestFile[]): Promise<TestFile[]> {
      return (await this.own()).allFailedTests(tests);
    }

    cacheResults(tests: TestFile[], results: unknown): void {
      // How long a run of one case took, and that it failed, says nothing of its file.
      if (!target) this.inner!.cacheResults(tests, results);
    }

    private async own(): Promise<Sequencer> {
      this.inner ??= new (await sequencerOf(folder, line))(this.options);
      return this.inner;
    }
  };

  function isTarget({ path, context }: TestFile, labels: ReadonlyMap<TestContext, string>): boolean {
    return stableName(path) === stableName(target!.file) && isOfProject(target!.name, labels.get(context));
  }

  function withOurs(context: TestContext, labels: ReadonlyMap<TestContext, string>): ProjectConfig {
    const { config } = context;
    // Whoever brings a runtime of his own keeps it.
    if (config.runtime !== undefined || config.moduleLoader != null) return config;
    const recorded = isLookedInto(job) ? withGlobal(config, '__cov') : {};
    const loaded = config.extraGlobals ? { moduleLoader: ours.runtime } : { runtime: ours.runtime };
    const label = labels.get(context);
    const { testRunner } = config;
    return {
      ...{ ...config, ...recorded, ...loaded },
      ...(job.mode === 'serve' && testRunner ? { testRunner: ours.runner, ownRunner: testRunner } : {}),
      ...(label === undefined ? {} : { unweave: label }),
    };
  }
}

/** Scripts find a global that they would not find otherwise. Jest 27 calls them by another name. */
function withGlobal(
  { extraGlobals, sandboxInjectedGlobals }: ProjectConfig,
  name: string,
): Partial<ProjectConfig> {
  if (extraGlobals) return { extraGlobals: [...extraGlobals, name] };
  return { sandboxInjectedGlobals: [...(sandboxInjectedGlobals ?? []), name] };
}

/** The sequencer that the command would have without us. */
async function sequencerOf(folder: string, line: JestCommandLine): Promise<SequencerClass> {
  const ofJest = createRequire(join(folder, 'package.json'));
  const core = createRequire(ofJest.resolve('@jest/core'));
  const config = createRequire(core.resolve('jest-config'));
  const root = resolve(line.project ?? '.');
  const options = await optionsOf(core('jest-config') as ConfigModule, line, root);
  const name = line.sequencer ?? options.testSequencer;
  if (name === undefined) return defaultOf(config('@jest/test-sequencer'));
  return defaultOf(await import(pathToFileURL(resolved(name, options.rootDir ?? root)).href));
}

/** What the user has configured. */
async function optionsOf(
  { readConfig, readInitialOptions }: ConfigModule,
  { config }: JestCommandLine,
  packageRootOrConfig: string,
): Promise<SequencerOptions> {
  if (!readInitialOptions) return (await readConfig({ config }, packageRootOrConfig)).globalConfig;
  const skipMultipleConfigError = true;
  return (await readInitialOptions(config, { packageRootOrConfig, skipMultipleConfigError })).config;
}

/** As Jest finds it. */
function resolved(name: string, rootDir: string): string {
  const require = createRequire(join(rootDir, 'package.json'));
  const path = name.replace('<rootDir>', () => rootDir);
  try {
    return require.resolve(`jest-sequencer-${path}`);
  } catch {
    return require.resolve(path);
  }
}

function defaultOf(loaded: { default?: unknown }): SequencerClass {
  let found: unknown = loaded;
  for (let i = 0; i < 2; i++) found = (found as { default?: unknown })?.default ?? found;
  return found as SequencerClass;
}
