/**
 * Jest's runtime of a file of tests, in whose realm the file and its modules run. It is the first that has the environment of
 * that realm, whichever that is, and it is told what was made of the user's sources.
 */
import { adapterFor, adoptCommonJS } from '../../../monitor/locks/adapters.ts';
import { readFramesBy } from '../../../monitor/record/call-site.ts';
import { installGate } from '../../gate/session.ts';
import { isLookedInto, type Job, leaveChildrenAlone, type Recipe } from '../../subjects/job.ts';
import { bodyRunnerOf } from '../body-runner.ts';
import { cleans } from '../cleaning.ts';
import type { Serving } from '../serving.ts';
import { rerunFiles } from './again.ts';
import type {
  JestEnvironment,
  JestEvent,
  JestState,
  ProjectConfig,
  RuntimeClass,
  ScriptTransformer,
} from './api.ts';
import { TestedFile } from './file.ts';
import { type JestUtil, takeRealm } from './realm.ts';
import { framesOf, instrumenting } from './transformer.ts';

/** `ofJest`: finds what the runner of Jest finds. */
export function runtimeFrom(
  ofJest: NodeJS.Require,
  job: Job,
  recipe: Recipe,
  serving: Serving | null,
): RuntimeClass {
  const loaded = ofJest('jest-runtime') as RuntimeClass & { default?: RuntimeClass };
  const util = ofJest('jest-util') as JestUtil;
  // Hooks may take back what a test has left.
  cleans();
  readFramesBy(framesOf);
  // Before there is an environment, which takes clocks and variables of the process with it.
  if (serving) installGate();
  const bodies = serving ? serving.file.bodies : bodyRunnerOf(job, 'jest', recipe);
  leaveChildrenAlone(job);
  const isPlain = job.mode === 'plain';

  return class extends (loaded.default ?? loaded) {
    private readonly file: TestedFile;

    constructor(
      config: ProjectConfig,
      environment: JestEnvironment,
      resolver: unknown,
      transformer: ScriptTransformer,
      cacheFS: unknown,
      coverage: unknown,
      path: string,
      ...rest: unknown[]
    ) {
      const file = new TestedFile(
        path,
        environment.global,
        config.unweave,
        bodies,
        job,
        recipe,
        serving?.file,
      );
      rerunFiles.set(environment, file);
      if (!isPlain) takeRealm(environment.global, job, util);
      listen(environment, file);
      const ours = isLookedInto(job) ? instrumenting(transformer) : transformer;
      super(config, environment, resolver, ours, cacheFS, coverage, path, ...rest);
      this.file = file;
    }

    /** Without a name: a file that Jest itself wants. */
    override requireModule(from: string, moduleName?: string, ...rest: unknown[]): unknown {
      if (moduleName !== undefined) return super.requireModule(from, moduleName, ...rest);
      try {
        return super.requireModule(from, moduleName, ...rest);
      } catch (error) {
        this.file.threw(error);
        throw error;
      }
    }

    override async unstable_importModule(from: string, moduleName?: string): Promise<unknown> {
      try {
        return await super.unstable_importModule(from, moduleName);
      } catch (error) {
        if (moduleName === undefined) this.file.threw(error);
        throw error;
      }
    }

    override requireModuleOrMock(from: string, moduleName: string): unknown {
      const exports = super.requireModuleOrMock(from, moduleName);
      if (isPlain || !adapterFor(moduleName) || from.includes(`/node_modules/${moduleName}/`)) return exports;
      return adopted(moduleName, exports);
    }

    override teardown(): void {
      super.teardown();
      this.file.over();
    }
  };
}

/** By the exports of a module with locks: what importers get. */
const known = new WeakMap<object, unknown>();

function adopted(moduleName: string, exports: unknown): unknown {
  if (typeof exports !== 'function' && (typeof exports !== 'object' || exports === null)) return exports;
  if (!known.has(exports)) known.set(exports, adoptCommonJS(moduleName, exports));
  return known.get(exports);
}

/** The environment hears as it would without us. */
function listen(environment: JestEnvironment, file: TestedFile): void {
  const own = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = (event: JestEvent, state: JestState) => {
    file.hear(event, state);
    return own?.(event, state);
  };
}
