/** One program that starts its own workers, executed again and again in this process, with fresh module state each time. */
import { writeFileSync } from 'node:fs';
import type { LoaderConfig } from '../../../monitor/loader/config.ts';
import type { Linker } from '../../../monitor/modules/linker.ts';
import { failureOf } from '../../failure.ts';
import { native } from '../../gate/native.ts';
import type { ProgramLeft, ProgramRequest, UnfitReply } from '../../subjects/worker-protocol.ts';
import { setEpoch } from '../../tokens/companions.ts';
import { threadLinker } from '../../tokens/linker.ts';
import { exitedWith, leftOf, stuck } from '../ending.ts';
import { newExecution, prepare } from '../execution.ts';
import { readNotes } from '../notes.ts';
import type { Execution } from '../part.ts';
import { type GatedPart, takeGatedPart } from './gated-part.ts';
import { type OwnWorkers, wrapGatedWorkers } from './gated-workers.ts';
import { Traces } from './traces.ts';

/** Node's exit code for a module that waits for something that never comes. */
const UNSETTLED = 13;
/** Longer schedules have processes of their own. */
const MOST_GRANTS = 1 << 16;

// The original: the program may mock it.
const write = writeFileSync;

interface Main {
  readonly execution: Execution;
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

  async run({ argv, file, orders, out }: ProgramRequest): Promise<ProgramLeft | UnfitReply> {
    if (orders.grants.length > 2 * MOST_GRANTS) return { unfit: 'a long schedule' };
    this.main ??= newMain(this.config, out);
    const { execution, linker, part, workers } = this.main;
    write(execution.notes, '');
    prepare(execution, orders);
    setEpoch(execution.control.words, native.date());
    part.renew(execution.plan);
    part.notes.tell({ thread: 0, name: 'main' });
    process.argv = [process.execPath, ...argv];
    await linker.load(file);
    const traces = new Traces();
    const { error, status } = await part.run(() => linker.instance(file).import(file), { until: 'idle' });
    const reusable = !traces.any();
    const code = status === 'deadlock' ? UNSETTLED : Number(process.exitCode ?? 0);
    const failure = status === 'fail' ? failureOf(error) : code === 0 ? null : exitedWith(code);
    part.over();
    part.holder.close();
    const left = leftOf(execution, { outcome: 'ended', failure });
    await workers.dismiss();
    return { left, notes: readNotes(execution.notes), reusable };
  }
}

function newMain(config: LoaderConfig, out: string): Main {
  const execution: Execution = { ...newExecution({ config, out }, MOST_GRANTS), isWarm: true };
  const part = takeGatedPart({ execution, self: 0, name: 'main', parent: 0 }, () => stuck(execution));
  return { execution, part, workers: wrapGatedWorkers(part), linker: threadLinker(part.loader) };
}
