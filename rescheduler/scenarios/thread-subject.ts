/** Scenarios of threads as subjects: like harnesses of threads, but judged by what their serial orders give. */
import type { Overlaps, ThreadScenarioTold } from '../../data/scenario.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { IdleWorkers } from '../subjects/idle-workers.ts';
import type { SubjectSource } from '../subjects/source.ts';
import type { WorkerClient } from '../subjects/worker-client.ts';
import type { ThreadExecuteOptions, ThreadReply, ThreadRunRequest } from '../tokens/protocol.ts';
import { ThreadSubject } from '../tokens/subject.ts';
import { type AskScenario, Oracle } from './oracle.ts';

/** Between two scenarios of a file; they end with this process at the latest. */
const idle = new IdleWorkers();

export class ThreadScenarioSubject extends ThreadSubject {
  override readonly source: SubjectSource;
  readonly overlaps: Overlaps;
  private readonly told: ThreadScenarioTold;
  private readonly oracle: Oracle;
  private readonly reasons = new Map<string, number>();
  private key = '';

  constructor(path: string, told: ThreadScenarioTold, config: LoaderConfig) {
    super(path, told.name, config);
    const { args, calls, keys, operations, refusable, sequel, spec } = told;
    this.told = told;
    // Each execution is the same by whatever clock, and calls leave nothing behind that their thread does not wait for.
    this.oracle = new Oracle(operations.length, refusable, sequel, {
      clocks: ['virtual'],
      rests: false,
      answers: false,
    });
    this.overlaps = { spec, operations, keys, sequel };
    const copied = {
      operations: [...operations],
      refusable: [...refusable],
      calls: [...calls],
      args: [...args],
    };
    this.source = { kind: this.kind, file: path, name: told.name, scenario: { ...told, ...copied } };
  }

  allowed(): { reason: string; times: number }[] {
    return [...this.reasons].map(([reason, times]) => ({ reason, times }));
  }

  /** The next scenario takes the process over. */
  override async close(): Promise<void> {
    const { key, warm } = this;
    this.warm = null;
    if (warm?.alive) await idle.giveBack({ key, client: warm });
  }

  protected override startWarm(options: ThreadExecuteOptions): WorkerClient {
    this.key = JSON.stringify([this.path, this.config, options.verbose ?? false]);
    const found = idle.take(this.key);
    if (!found) return this.start(options);
    found.client.output = this.tail;
    return found.client;
  }

  protected override async prepare(
    worker: WorkerClient,
    options: ThreadExecuteOptions,
    isFresh: boolean,
  ): Promise<void> {
    const ask: AskScenario = async (run) => {
      const reply = await this.run(worker, { kind: 'observed' }, options, false, { calls: this.told, run });
      return { result: reply.ran, serial: reply.serial ?? null };
    };
    await this.oracle.know(ask);
    if (isFresh) await this.oracle.again(ask);
  }

  protected override get scenario(): ThreadRunRequest['scenario'] {
    return { calls: this.told, run: { kind: 'judged', isSerial: false, serial: this.oracle.outcomes } };
  }

  protected override async run(...how: Parameters<ThreadSubject['run']>): Promise<ThreadReply> {
    const reply = await super.run(...how);
    if (reply.allowed !== undefined)
      this.reasons.set(reply.allowed, 1 + (this.reasons.get(reply.allowed) ?? 0));
    return reply;
  }
}
