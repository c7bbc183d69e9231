/** The parent's side of a harness process: one request at a time, an answer or the way it died. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { Deadline } from '../deadline.ts';
import { entryUrl } from '../entry.ts';
import { WARM_FILE } from '../runners/warm-start.ts';
import { configEnvironment, forcedEnvironment } from './config.ts';
import { killGroup, spawnGroup } from './groups.ts';
import { type CaseId, type Preload, type Recipe, withOurs } from './job.ts';
import { startServing } from './launch.ts';
import { NO_REQUIRE, splitOptions } from './node-options.ts';
import type { OutputTail } from './output.ts';
import { permissionsFor } from './permissions.ts';
import { dropFolder, makeFolder, makeTmp, type ScratchRoots } from './scratch.ts';
import { Exchange } from './socket.ts';
import { USERS_OPTIONS, WORKER_OPTIONS } from './worker-options.ts';
import type { Envelope, WorkerReply, WorkerRequest } from './worker-protocol.ts';

/** How a process ended although an answer was due. */
export class WorkerDied extends Error {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;

  constructor(code: number | null, signal: NodeJS.Signals | null) {
    super(signal ? `the process was killed by ${signal}` : `the process exited with code ${code}`);
    this.code = code;
    this.signal = signal;
  }
}

/** No answer in time; the process was killed. */
export class WorkerTimeout extends Error {}

export interface WorkerOptions {
  readonly config: LoaderConfig;
  /** Where the program's temporary directory is made: a fresh one for each worker. */
  readonly scratch: keyof ScratchRoots;
  readonly verbose: boolean;
  readonly output: OutputTail;
  /** Which worker; that of harnesses when absent. The one of threads does not load the gate. */
  readonly entry?:
    | 'worker-entry'
    | 'case-worker-entry'
    | '../tokens/process-entry'
    | '../loops/gated/warm-entry';
  /** The program of the recipe is run, with this module before it, in the place of an entry of ours. */
  readonly within?: { readonly module: string; readonly argv: readonly string[]; readonly file: string };
  /** How the program is usually started; the worker is started alike. */
  readonly recipe?: Recipe;
  /** The program of the recipe is run with a job, and one of its processes serves, the first time for this case. */
  readonly serves?: CaseId;
}

interface PendingReply {
  readonly id: number;
  resolve(reply: WorkerReply): void;
  reject(reason: unknown): void;
}

const sibling = (path: string): string => entryUrl(path, import.meta.url).href;

export class WorkerClient {
  private readonly child: ChildProcess;
  /** Where the process has no channel of its own for us. */
  private readonly exchange: Exchange | null;
  private readonly dead: Promise<WorkerDied>;
  /** The request that is under way: told the answer, or how the process died. */
  private pending: PendingReply | null = null;
  /** Its end is on the way. */
  private killed = false;
  /** How it died. */
  private death: WorkerDied | null = null;
  /** Of this worker alone; gone with it. */
  readonly folder: string;
  /** Who keeps what it prints. */
  output: OutputTail;
  private lastId = 0;

  constructor(options: WorkerOptions) {
    this.folder = makeFolder(options.scratch);
    const hear = (message: unknown): void => {
      const { id, body } = message as Envelope<WorkerReply>;
      if (this.pending?.id === id) this.pending.resolve(body);
    };
    const { recipe, serves } = options;
    if (recipe && serves) {
      const out = join(this.folder, 'socket');
      this.exchange = new Exchange(out, hear, () => this.kill());
      const job = { mode: 'serve', out, target: serves, config: options.config } as const;
      this.child = startServing(recipe, job, this.folder);
    } else {
      this.exchange = null;
      this.child = startWorker(options, this.folder);
      this.child.on('message', hear);
    }
    this.output = options.output;
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        if (options.verbose) process.stderr.write(chunk);
        this.output.add(chunk);
      });
      stream?.on('error', () => {});
    }
    this.dead = new Promise((resolve) => {
      this.child.once('error', () => resolve(new WorkerDied(null, null)));
      this.child.once('exit', (code, signal) => resolve(new WorkerDied(code, signal)));
    });
    void this.dead.then((death) => {
      this.death = death;
      this.exchange?.close();
      this.pending?.reject(death);
    });
    this.hold(false);
  }

  /** Whether the worker keeps this process alive: only while an answer is due. */
  private hold(on: boolean): void {
    const { child } = this;
    const pipes = [child.stdout, child.stderr] as unknown as { ref(): void; unref(): void }[];
    for (const handle of [child, child.channel, ...pipes]) on ? handle?.ref() : handle?.unref();
    this.exchange?.hold(on);
  }

  get alive(): boolean {
    return this.death === null && !this.killed;
  }

  /** Sends a request. Rejects with {@link WorkerDied}, {@link WorkerTimeout} or the signal's reason. */
  async request(body: WorkerRequest, timeoutMs: number, signal?: AbortSignal): Promise<WorkerReply> {
    signal?.throwIfAborted();
    if (this.death) throw this.death;
    const id = ++this.lastId;
    const { child } = this;
    const { promise, resolve, reject } = Promise.withResolvers<WorkerReply>();
    const giveUp = (reason: unknown): void => {
      this.kill();
      reject(reason);
    };
    const abort = (): void => giveUp(signal!.reason);
    const inTime = new Deadline(timeoutMs, child.pid ?? 0).whenOver(() => giveUp(new WorkerTimeout()));
    signal?.addEventListener('abort', abort);
    this.pending = { id, resolve, reject };
    this.hold(true);
    try {
      // Where the channel is closed the exit tells more than the error.
      const message = { id, body } satisfies Envelope<WorkerRequest>;
      if (this.exchange) this.exchange.send(message);
      else child.send(message, () => {});
      return await promise;
    } finally {
      this.pending = null;
      inTime();
      signal?.removeEventListener('abort', abort);
      this.hold(false);
    }
  }

  /** Kills the process with everything it started. */
  kill(): void {
    this.killed = true;
    killGroup(this.child);
  }

  /** Kills it, waits for its end and removes its temporary directory. */
  async close(): Promise<void> {
    this.child.ref();
    this.kill();
    await this.dead;
    dropFolder(this.folder);
  }
}

/** Starts an entry of ours, or the program of the recipe with a module of ours before it. */
function startWorker(options: WorkerOptions, folder: string): ChildProcess {
  const { config, entry = 'worker-entry', recipe, within } = options;
  const env: NodeJS.ProcessEnv = { ...process.env, ...recipe?.env };
  Object.assign(env, configEnvironment(config), forcedEnvironment(config));
  // A worker is not a child of a test runner, even when we are.
  delete env['NODE_TEST_CONTEXT'];
  env['TMPDIR'] = makeTmp(folder);
  if (within) env[WARM_FILE] = within.file;
  const users = env['NODE_OPTIONS'] ?? '';
  const isRequired = entry === 'case-worker-entry' && mayBeRequired(options, users);
  if (isRequired) {
    env[USERS_OPTIONS] = users;
    const writes = [folder, config.cacheDir];
    const { execPath = process.execPath, execArgv = [] } = recipe ?? {};
    const permissions = permissionsFor(execPath, execArgv, splitOptions(users), writes);
    env['NODE_OPTIONS'] = withOurs(users, { preload: REQUIRED, permissions });
  }
  const paths = [
    ...(isRequired ? importedBehind(config) : importedFirst(entry)).map((path) => sibling(path)),
    ...(within ? [sibling(within.module)] : []),
  ];
  const program = within?.argv ?? [fileURLToPath(sibling(`./${entry}`))];
  const imports = paths.flatMap((path) => ['--import', path]);
  return spawnGroup(
    recipe?.execPath ?? process.execPath,
    [...WORKER_OPTIONS, ...imports, ...(recipe?.execArgv ?? []), ...program],
    {
      env,
      cwd: recipe?.cwd ?? config.cwd,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    },
  );
}

const REQUIRED: Preload = ['--require', fileURLToPath(sibling('./warm').replace(/[jt]s$/, 'c$&'))];

/** Whether `require` does to load ours: it comes before all that the user has asked for. */
const mayBeRequired = ({ recipe }: WorkerOptions, nodeOptions: string): boolean =>
  ![...splitOptions(nodeOptions), ...(recipe?.execArgv ?? [])].includes(NO_REQUIRE);

/** Modules of ours that come by `--import`, where `require` does not do. */
const importedFirst = (entry: string): string[] => [
  '../../monitor/loader/own-modules',
  ...(entry.startsWith('..') ? [] : ['../../monitor/register']),
  // Loaders of the user come behind ours, as in his own command, and find our modules loaded.
  ...(entry === 'case-worker-entry' ? ['./early', './case-rerun', './worker-serve'] : []),
];

const importedBehind = ({ locks }: LoaderConfig): string[] =>
  locks.length > 0 ? ['../../monitor/register'] : [];
