/** Scenarios as subjects: like harnesses, but judged by what their serial orders give. */
import type { RunResult } from '../../data/run.ts';
import type { ScenarioRun, ScenarioTold, ToldOutcome } from '../../data/scenario.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { lookingInto } from '../subjects/config.ts';
import { HarnessSubject } from '../subjects/harness.ts';
import { IdleWorkers } from '../subjects/idle-workers.ts';
import type { ExecuteOptions, Subject } from '../subjects/protocol.ts';
import type { ScratchRoots } from '../subjects/scratch.ts';
import type { SubjectSource } from '../subjects/source.ts';
import type { WorkerClient } from '../subjects/worker-client.ts';
import type { RunReply } from '../subjects/worker-protocol.ts';
import type { WitnessPlan } from '../witness/plan.ts';
import { type AskScenario, Oracle } from './oracle.ts';

/** One after the other they are many: so much may be spent on each. */
const MOST = { schedules: 100, timeMs: 5000, findings: 1 };
/** Between two scenarios of a file; they end with this process at the latest. */
const idle = new IdleWorkers();

export class ScenarioSubject extends HarnessSubject {
  override readonly source: SubjectSource;
  override readonly overlaps: NonNullable<Subject['overlaps']>;
  override readonly most = MOST;
  private readonly scenario: ScenarioTold;
  private readonly oracle: Oracle;
  /** What is observed are its calls one behind the other. */
  private isSerial = false;
  private isTold = false;
  private lastTold: ToldOutcome | null = null;
  private key = '';
  private readonly reasons = new Map<string, number>();

  constructor(path: string, told: ScenarioTold, config: LoaderConfig, oracle: Oracle) {
    super(path, told.name, config);
    this.scenario = told;
    this.oracle = oracle;
    const { spec, operations, keys, refusable, sequel } = told;
    this.overlaps = { spec, operations, keys, sequel };
    const copied = { operations: [...operations], refusable: [...refusable], calls: [...told.calls] };
    this.source = { ...told, ...copied, kind: 'scenario', file: path };
  }

  override lookInto(packages: readonly string[]): Subject {
    return scenarioSubjects(this.path, [this.scenario], lookingInto(this.config, packages))[0]!;
  }

  override allowed(): { reason: string; times: number }[] {
    return [...this.reasons].map(([reason, times]) => ({ reason, times }));
  }

  override observeSerially(): void {
    this.isSerial = true;
  }

  override tellOutcomes(): () => ToldOutcome | null {
    this.isTold = true;
    return () => this.lastTold;
  }

  override async executePlain(plan: WitnessPlan | null, options: ExecuteOptions): Promise<RunResult> {
    await this.warmed(options);
    return super.executePlain(plan, options);
  }

  protected override heard({ allowed, told }: RunReply): void {
    this.lastTold = told ?? null;
    if (allowed !== undefined) this.reasons.set(allowed, 1 + (this.reasons.get(allowed) ?? 0));
  }

  /** The next scenario takes the process over. */
  override async close(): Promise<void> {
    const { warm, key } = this;
    this.warm = null;
    if (warm?.alive) await idle.giveBack({ key, client: warm });
  }

  protected override startWarm(options: ExecuteOptions, scratch: keyof ScratchRoots): WorkerClient {
    this.key = JSON.stringify([this.path, this.config, scratch, options.verbose ?? false]);
    const found = idle.take(this.key);
    if (!found) return this.start(options, scratch);
    found.client.output = this.tail;
    return found.client;
  }

  protected override async prepare(
    worker: WorkerClient,
    options: ExecuteOptions,
    isFresh: boolean,
  ): Promise<void> {
    const ask: AskScenario = (run) => this.ask(worker, { kind: 'observed' }, options, false, run);
    await this.oracle.know(ask);
    if (isFresh) await this.oracle.again(ask);
  }

  protected override judged(isObserved: boolean): ScenarioRun {
    const { isTold, oracle } = this;
    return {
      kind: 'judged',
      isSerial: isObserved && this.isSerial,
      serial: oracle.outcomes,
      ...(isTold && { isTold }),
    };
  }
}

/** Scenarios of the same calls share what their serial orders give. */
export function scenarioSubjects(
  file: string,
  scenarios: readonly ScenarioTold[],
  config: LoaderConfig,
): ScenarioSubject[] {
  const oracles = new Map<string, Oracle>();
  return scenarios.map((told) => {
    // The same calls the other way round have other numbers.
    const oracle = oracles.get(told.group) ?? new Oracle(told.operations.length, told.refusable, told.sequel);
    oracles.set(told.group, oracle);
    return new ScenarioSubject(file, told, config, oracle);
  });
}
