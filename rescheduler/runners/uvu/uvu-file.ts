/**
 * The file of a case of uvu in a process of ours: it is imported fresh in each run, hands its suites over as to uvu's command, and
 * uvu's own runner runs the one case that is left of them, with the hooks around it.
 */
import type { Linker } from '../../../monitor/modules/linker.ts';
import type { CaseId } from '../../subjects/job.ts';
import type { BodyRunner } from '../adapter.ts';
import { setBridge } from '../bridge.ts';
import { type LinkerOf, NeedsRunner, type WarmFile } from '../warm-file.ts';
import { editModule } from './edit.ts';
import { Suites } from './suites.ts';

/** Runs a suite; what failed, in words, and else `true`. */
type SuiteRun = () => Promise<readonly [errors: string | true, ...counts: number[]]>;

/** What uvu shares with its command. */
interface Shared {
  UVU_DEFER?: number;
  UVU_INDEX?: number;
  UVU_QUEUE?: [name: string | null, ...suites: SuiteRun[]][];
}

export class UvuFile implements WarmFile {
  readonly firstTurn = 'within';
  private readonly linker: Linker;
  private suites: Suites | null = null;

  constructor(linkerOf: LinkerOf) {
    this.linker = linkerOf(new Map());
    setBridge('uvu', { take: (...args: Parameters<Suites['take']>) => this.suites?.take(...args) });
    editModule();
  }

  async run(entry: string, target: CaseId, run: (body: () => unknown) => Promise<void>): Promise<void> {
    process.argv[1] = entry;
    let refused: unknown = null;
    const bodies: BodyRunner = {
      // Whether it fails is not told to uvu: what comes behind it is the same.
      run: (_id, body) =>
        run(body).catch((error: unknown) => {
          refused ??= error;
        }),
      subtest() {},
    };
    const suites = new Suites(bodies, target);
    this.suites = suites;
    const group: NonNullable<Shared['UVU_QUEUE']>[number] = [null];
    Object.assign(globalThis, { UVU_DEFER: 1, UVU_INDEX: 0, UVU_QUEUE: [group] } satisfies Shared);
    await this.linker.load(target.file);
    await this.linker.instance(entry).import(target.file);
    if (!suites.hasTests) throw new NeedsRunner('its file alone does not have it');
    for (const each of group.slice(1) as SuiteRun[]) {
      const [errors] = await each();
      if (refused !== null) throw refused;
      if (errors !== true) throw new Error(errors);
    }
  }
}
