/**
 * The file of a Mocha test in a process of Mocha's own command line that does not run its tests: what options, required
 * modules and the other files have set up is there. The file is loaded anew for each run, and Mocha's own runner runs one
 * test of it, with the hooks around it: those of the root that the file itself has registered before are not among them.
 */
import { realpathSync } from 'node:fs';
import type { Linker } from '../../../monitor/modules/linker.ts';
import type { CaseId } from '../../subjects/job.ts';
import type { BodyRunner } from '../adapter.ts';
import { sameCase } from '../identity.ts';
import { type LinkerOf, NeedsRunner, type WarmFile } from '../warm-file.ts';
import type { MochaClass, MochaInstance, MochaSuite } from './api.ts';
import { takeBodies } from './bodies.ts';
import { bodyIn } from './body.ts';
import { hearsRejections } from './rejections.ts';
import { empty, type RootHooks } from './root-hooks.ts';
import { Names, prune } from './tree.ts';

type RunMochaBody = (body: () => unknown, atOnce?: boolean) => Promise<void>;

export class MochaFile implements WarmFile {
  readonly firstTurn = 'within';
  private readonly mocha: MochaClass;
  private readonly instance: MochaInstance;
  private readonly rootHooks: RootHooks;
  private readonly linker: Linker;
  /** What the process was started with, which is no file of tests: `require.main`. */
  private readonly command = realpathSync(process.argv[1]!);
  private names = new Names();
  private runBody: RunMochaBody = async () => {};
  /** What is wrong with the run itself, and not with the test. */
  private refused: unknown = null;

  constructor(mocha: MochaClass, instance: MochaInstance, rootHooks: RootHooks, linkerOf: LinkerOf) {
    this.mocha = mocha;
    this.instance = instance;
    this.rootHooks = rootHooks;
    this.linker = linkerOf(new Map());
    const bodies: BodyRunner = {
      run: async (_id, body, running) => {
        await this.runBody(body, running.atOnce).catch((error: unknown) => {
          this.refused ??= error;
        });
        if (running.isSkipped()) this.refused ??= new NeedsRunner('it skips itself');
      },
      subtest() {},
    };
    takeBodies(mocha, (test, fn) => bodyIn(bodies, test, this.names.of(test), fn));
  }

  async run(_entry: string, target: CaseId, run: RunMochaBody): Promise<void> {
    const { instance, linker } = this;
    const { suite: root } = instance;
    if (instance.options.delay) throw new NeedsRunner('the option --delay');
    this.names = new Names();
    this.runBody = run;
    this.refused = null;
    const restore = empty(root, this.rootHooks.get(target.file));
    try {
      const { file } = target;
      root.emit('pre-require', globalThis, file, instance);
      await linker.load(file);
      const loaded = await linker.instance(this.command).import(file);
      root.emit('require', loaded, file, instance);
      root.emit('post-require', globalThis, file, instance);
      root.eachTest((test) => void this.names.of(test));
      prune(root, (test) => sameCase(this.names.of(test), target));
      if (root.total() !== 1) throw new NeedsRunner('its file alone does not have it');
      await this.runAll(root);
    } finally {
      restore();
    }
  }

  /** By Mocha's own runner. Throws what a hook throws. */
  private async runAll(root: MochaSuite): Promise<void> {
    const runner = new this.mocha.Runner(root);
    runner.asyncOnly = this.instance.options.asyncOnly;
    hearsRejections(runner);
    const failures: unknown[] = [];
    runner.on('fail', (_, error) => failures.push(error));
    await new Promise<void>((resolve) => runner.run(() => resolve()));
    runner.dispose?.();
    if (this.refused !== null) throw this.refused;
    if (failures.length > 0) throw failures[0];
  }
}
