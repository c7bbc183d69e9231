/** A harness of threads as a subject: a warm process with a pool, and fresh ones for confirmation. */
import { relative } from 'node:path';
import type { Failure, Outcome } from '../../data/run.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { plainFailure } from '../failure.ts';
import { OutputTail } from '../subjects/output.ts';
import { SubjectError, subjectId } from '../subjects/protocol.ts';
import type { SubjectSource } from '../subjects/source.ts';
import { WorkerClient, WorkerDied, WorkerTimeout } from '../subjects/worker-client.ts';
import type { WorkerReply } from '../subjects/worker-protocol.ts';
import type {
  ThreadExecuteOptions,
  ThreadedTest,
  ThreadReply,
  ThreadResult,
  ThreadRunRequest,
  ThreadSpec,
} from './protocol.ts';

/** Loading, the start of the workers, and check may take this long beyond the watchdog of the run itself. */
const MARGIN_MS = 60_000;

export class ThreadSubject implements ThreadedTest {
  readonly kind = 'threads';
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly source: SubjectSource;
  protected readonly path: string;
  protected readonly config: LoaderConfig;
  protected tail = new OutputTail();
  protected warm: WorkerClient | null = null;
  /** Bodies are asynchronous, as an execution has shown. */
  private loops = false;

  constructor(path: string, name: string, config: LoaderConfig) {
    this.path = path;
    this.file = relative(config.cwd, path);
    this.name = name;
    this.id = subjectId(this.file, name, 0);
    this.config = config;
    this.source = { kind: this.kind, file: path, name };
  }

  /** One execution in the warm process; `record`: with its trace. */
  async execute(spec: ThreadSpec, options: ThreadExecuteOptions, record = false): Promise<ThreadReply> {
    if (!this.warm?.alive) {
      await this.warm?.close();
      this.warm = this.startWarm(options);
    }
    const { warm } = this;
    await this.prepare(warm, options, false);
    const reply = await this.run(warm, spec, options, record, this.scenario);
    if (!reply.reusable) {
      await warm.close();
      this.warm = null;
    }
    return reply;
  }

  /** One execution in a process of its own. */
  async executeFresh(spec: ThreadSpec, options: ThreadExecuteOptions): Promise<ThreadResult> {
    const worker = this.start(options);
    try {
      await this.prepare(worker, options, true);
      return (await this.run(worker, spec, options, false, this.scenario)).ran;
    } finally {
      await worker.close();
    }
  }

  output(): string {
    return this.tail.toString();
  }

  async close(): Promise<void> {
    await this.warm?.close();
    this.warm = null;
  }

  /** The process of {@link execute}. */
  protected startWarm(options: ThreadExecuteOptions): WorkerClient {
    return this.start(options);
  }

  /** Before an execution in a process; `isFresh`: its first one. */
  protected async prepare(
    _worker: WorkerClient,
    _options: ThreadExecuteOptions,
    _isFresh: boolean,
  ): Promise<void> {}

  /** Of what calls it is made, and how these are judged. */
  protected get scenario(): ThreadRunRequest['scenario'] {
    return undefined;
  }

  protected start({ verbose = false }: ThreadExecuteOptions): WorkerClient {
    this.tail = new OutputTail();
    const entry = '../tokens/process-entry';
    return new WorkerClient({ config: this.config, output: this.tail, verbose, scratch: 'memory', entry });
  }

  protected async run(
    worker: WorkerClient,
    spec: ThreadSpec,
    { callsAt, signal, watchdogMs }: ThreadExecuteOptions,
    record: boolean,
    scenario: ThreadRunRequest['scenario'],
  ): Promise<ThreadReply> {
    const started = performance.now();
    const { loops, name, path: file } = this;
    const request = {
      kind: 'threads',
      file,
      name,
      spec,
      record,
      watchdogMs,
      loops,
      ...(callsAt && { callsAt }),
      ...(scenario && { scenario }),
    } as const;
    let reply: WorkerReply;
    try {
      reply = await worker.request(request, watchdogMs + MARGIN_MS, signal);
    } catch (error) {
      return dead(error, performance.now() - started);
    }
    if ('error' in reply) throw new SubjectError(reply.error.message.replaceAll(this.path, this.file));
    if ((reply as ThreadReply).loops) this.loops = true;
    return reply as ThreadReply;
  }
}

/** A run that ended with its process. */
function dead(error: unknown, durationMs: number): ThreadReply {
  const late = error instanceof WorkerTimeout;
  if (!late && !(error instanceof WorkerDied)) throw error;
  const failure = late
    ? plainFailure('timeout', 'Timeout', 'the process did not answer and was killed')
    : plainFailure('exception', 'ProcessEnded', error.message);
  return withoutReply(late ? 'unknown' : 'fail', failure, durationMs);
}

/** All that is known is how the process ended, and after how long. */
export function withoutReply(outcome: Outcome, failure: Failure, durationMs: number): ThreadReply {
  const ran: ThreadResult = {
    outcome,
    followed: null,
    divergence: null,
    failure,
    waits: [],
    events: 0,
    switches: 0,
    traceHash: '',
    taken: [],
    deliveries: [],
    ungated: {},
    late: [],
    durationMs,
  };
  return { ran, trace: null, sites: [], reusable: false };
}
