/** One program that starts its own workers, executed again and again in this process, with fresh module state each time. */
import { writeFileSync } from 'node:fs';
import type { Failure } from '../../../data/run.ts';
import type { LoaderConfig } from '../../../monitor/loader/config.ts';
import type { Linker } from '../../../monitor/modules/linker.ts';
import { failureOf } from '../../failure.ts';
import { native } from '../../gate/native.ts';
import type { ProgramLeft, RunProgram, UnfitReply } from '../../subjects/worker-protocol.ts';
import { setEpoch } from '../../tokens/companions.ts';
import { threadLinker } from '../../tokens/linker.ts';
import { exitedWith, leftOf, stuck, UNSETTLED } from '../ending.ts';
import { newExecution, prepare } from '../execution.ts';
import { readNotes } from '../notes.ts';
import type { ThreadExecution } from '../thread.ts';
import { type GatedPart, takeGatedPart } from './gated-part.ts';
import { type OwnWorkers, wrapGatedWorkers } from './gated-workers.ts';
import { Traces } from './traces.ts';
import type { WarmProgramCase } from './warm-case.ts';

/** Longer schedules have processes of their own. */
const MOST_GRANTS = 1 << 16;

// The original: the program may mock it.
const write = writeFileSync;

interface Main {
  /** Where the subject is a test case. */
  readonly testCase: WarmProgramCase | null;
  readonly execution: ThreadExecution;
  readonly part: GatedPart;
  readonly workers: OwnWorkers;
  readonly linker: Linker;
}

export class WarmProgram {
  private readonly config: LoaderConfig;
  private main: Main | null = null;

  constructor(config: LoaderConfig) {
    this.config = config;
  }

  async run({ argv, file, orders, out, target }: RunProgram): Promise<ProgramLeft | UnfitReply> {
    if (orders.grants.length > 2 * MOST_GRANTS) return { unfit: 'a long schedule' };
    this.main ??= await newMain(this.config, out, target !== null);
    const { execution, part, testCase, workers } = this.main;
    write(execution.notes, '');
    prepare(execution, orders);
    setEpoch(execution.control.words, native.date());
    part.renew(execution.plan);
    part.notes.tell({ thread: 0, name: 'main' });
    process.argv = [process.execPath, ...argv];
    const traces = new Traces();
    let failure: Failure | null;
    try {
      failure = await (target ? testCase!.run(file, target, part) : script(this.main));
    } catch (error) {
      // Outside of the body: the real runner tells it better.
      return { unfit: `outside of the test: ${String(error)}` };
    }
    const reusable = !traces.any();
    part.over();
    part.holder.close();
    const left = leftOf(execution, { outcome: 'ended', failure });
    await workers.dismiss();
    return { left, notes: readNotes(execution.notes), reusable };
  }
}

async function newMain(config: LoaderConfig, out: string, isCase: boolean): Promise<Main> {
  const execution: ThreadExecution = { ...newExecution({ config, out }, MOST_GRANTS), isWarm: true };
  // The runner keeps the clocks and timers that it finds as it loads.
  const kept = isCase ? await import('./warm-case.ts') : null;
  const part = takeGatedPart({ execution, self: 0, name: 'main', parent: 0 }, () => stuck(execution));
  const testCase = kept && new kept.WarmProgramCase(part.loader);
  return { testCase, execution, part, workers: wrapGatedWorkers(part), linker: threadLinker(part.loader) };
}

/** Runs the program as a whole. How it failed, if it did. */
async function script({ linker, part }: Main, file = process.argv[1]!): Promise<Failure | null> {
  await linker.load(file);
  const { error, status } = await part.run(() => linker.instance(file).import(file), { until: 'idle' });
  if (status === 'fail') return failureOf(error);
  const code = status === 'deadlock' ? UNSETTLED : Number(process.exitCode ?? 0);
  return code === 0 ? null : exitedWith(code);
}
