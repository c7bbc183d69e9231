/** Runs harnesses of threads inside of a process of their own: a pool for the harness in use, memory, check. */

import { isDeepStrictEqual } from 'node:util';
import type { ScenarioRun } from '../../data/scenario.ts';
import type { ThreadHarness } from '../../harnesses/api.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { requireAdapters } from '../../monitor/locks/user.ts';
import type { Linker } from '../../monitor/modules/linker.ts';
import { type Named, placeOf, pointText, traceOf } from '../../monitor/threads/trace.ts';
import { DEADLOCK, failureOf, plainFailure } from '../failure.ts';
import type { CallsMemory } from '../scenarios/thread-program.ts';
import { SubjectError } from '../subjects/protocol.ts';
import { type Control, EVENT_WORDS, MOST_THREADS } from './control.ts';
import { takenBy } from './follow.ts';
import { followedOf, hashOf, UNPACK } from './left.ts';
import { threadLinker } from './linker.ts';
import { stepViews } from './loop-steps.ts';
import { orderOf } from './order.ts';
import { Pool, type PoolExecution, poolControl } from './pool.ts';
import type { BodyMode } from './pool-worker.ts';
import type { ThreadReply, ThreadResult, ThreadRunRequest } from './protocol.ts';
import { type ThreadProgram, type ThreadRole, threadProgram } from './registered.ts';
import { withTasks } from './tasks/tasks.ts';
import { installRuntime, type ThreadRuntime } from './thread-runtime.ts';
import { waitsOf } from './waits.ts';

export class ThreadRunner {
  private readonly config: LoaderConfig;
  private readonly control: Control = poolControl(MOST_THREADS);
  private readonly runtime: ThreadRuntime;
  private readonly linker: Linker;
  /** Harnesses whose bodies are asynchronous, as an execution has shown. */
  private readonly loops = new Set<string>();
  private pool: { readonly key: string; readonly pool: Pool; role: ThreadRole | null } | null = null;

  constructor(config: LoaderConfig) {
    this.config = config;
    this.runtime = installRuntime(this.control, -1, config);
    requireAdapters(config.locks);
    this.linker = threadLinker(this.runtime.loader);
  }

  async run(request: ThreadRunRequest): Promise<ThreadReply> {
    const { file, name, spec, watchdogMs } = request;
    if (request.loops) this.loops.add(name);
    const loops = this.loops.has(name);
    const started = performance.now();
    const role: ThreadRole = { name, calls: request.scenario?.calls ?? null };
    const program = await threadProgram(this.linker, file, role);
    const { harness } = program;
    const expected = spec.kind === 'directed' ? spec.schedule.expected : null;
    const pool = await this.poolFor(
      file,
      role,
      harness,
      loops ? 'loops' : spec.kind === 'free' ? 'free' : 'controlled',
    );
    const memory: unknown = harness.memory();
    const asked = request.scenario?.run;
    if (asked?.kind === 'serial') program.overlap?.inOrder(memory as CallsMemory, asked.order);
    const naming = request.record || expected !== null;
    const executed = await pool.execute(memory, {
      ...orderOf(spec),
      record: naming,
      transactions: request.record,
      watchdogMs,
      callsAt: request.callsAt,
      steps: spec.kind === 'directed' ? (spec.schedule.deliveries ?? null) : null,
    });
    if (executed.asynchronous) {
      this.loops.add(name);
      return { ...(await this.run(request)), loops: true };
    }
    const { failure, isServed, ...told } = await judged(executed, program, asked);
    const stuck = executed.outcome === 'deadlock' || executed.outcome === 'watchdog';
    const named = naming || stuck ? this.named(executed, pool.names) : null;
    const ran: ThreadResult = {
      outcome: isServed ? 'pass' : outcomeOf(executed, failure !== null),
      ...followedOf(spec, executed.strayed, named?.trace ?? null),
      failure,
      waits: stuck && named ? waitsOf(named, executed.waiting, this.place) : [],
      events: executed.events.reduce((sum, piece) => sum + piece.length / EVENT_WORDS, 0),
      switches: executed.switches,
      traceHash: hashOf(executed.events),
      taken: failure || asked?.kind === 'judged' ? takenBy(executed.events) : [],
      deliveries: failure && loops ? executed.loops.map((loop) => loop?.steps ?? []) : [],
      ungated: ungatedOf(executed),
      late: executed.loops.flatMap((loop) => loop?.late ?? []),
      durationMs: performance.now() - started,
    };
    return {
      ran,
      trace:
        request.record && named
          ? withTasks(
              request.callsAt ? { ...named.trace, callers: executed.callers } : named.trace,
              executed.loops.map((loop) => loop?.causalLog ?? null),
            )
          : null,
      sites:
        request.record && named
          ? named.points.map((point) => pointText(this.runtime.loader.sites[point]))
          : [],
      reusable: pool.alive,
      ...told,
    };
  }

  private readonly place = (point: number): string => placeOf(this.runtime.loader.sites[point]);

  /** Scenarios of so many threads share one: they are many. */
  private async poolFor(
    file: string,
    role: ThreadRole,
    { threads }: ThreadHarness,
    manner: BodyMode,
  ): Promise<Pool> {
    const names = Object.keys(threads);
    if (names.length > MOST_THREADS)
      throw new SubjectError(`${file}: harness '${role.name}' has more than ${MOST_THREADS} threads`);
    const key = [file, role.calls ? names.length : role.name, manner].join('\0');
    if (this.pool?.key !== key || !this.pool.pool.alive) {
      await this.pool?.pool.close();
      this.pool = { key, pool: new Pool(this.control, file, names.length, this.config, manner), role: null };
    }
    if (!isDeepStrictEqual(this.pool.role, role)) {
      this.pool.pool.take(role, names);
      this.pool.role = role;
    }
    return this.pool.pool;
  }

  private named({ events, loops, views }: PoolExecution, threads: readonly string[]): Named {
    const { sites } = this.runtime.loader;
    return traceOf({
      pieces: events,
      threads,
      views: [...views, ...stepViews(loops), ...loops.map((loop) => loop?.files ?? [])],
      sites,
      unpack: UNPACK,
    });
  }
}

/** What is said of an execution. */
interface JudgedThreads extends Pick<ThreadReply, 'allowed' | 'serial'> {
  readonly failure: ThreadResult['failure'];
  /** It is as it should be, however it ended: calls wait for each other in a serial order, too. */
  readonly isServed: boolean;
}

async function judged(
  executed: PoolExecution,
  { harness, overlap }: ThreadProgram,
  asked: ScenarioRun | undefined,
): Promise<JudgedThreads> {
  const failure = brokenBy(executed);
  const isOver = executed.thrown.length === 0 && ['ended', 'deadlock'].includes(executed.outcome);
  if (overlap && asked && isOver)
    return overlap.judged(executed.memory as CallsMemory, executed.outcome === 'ended', failure, asked);
  if (failure) return { failure, isServed: false };
  try {
    await harness.check(harness.attach(executed.memory));
    return { failure: null, isServed: false };
  } catch (error) {
    return { failure: failureOf(error), isServed: false };
  }
}

/** What is wrong with an execution before anybody looks at what came of it. */
function brokenBy({ deaths, outcome, thrown }: PoolExecution): ThreadResult['failure'] {
  const [first] = thrown;
  if (first) return failureOf(first.what);
  switch (outcome) {
    case 'deadlock':
      return DEADLOCK;
    case 'died':
      return plainFailure('exception', 'ThreadEnded', deaths.join('; '));
    case 'watchdog':
      return plainFailure('timeout', 'Timeout', 'the threads did not end in time');
    case 'ended':
      return null;
  }
}

/** What of the host nobody controls, and in how many threads it is used. */
function ungatedOf({ loops }: PoolExecution): Record<string, number> {
  const found: Record<string, number> = {};
  for (const loop of loops)
    for (const kind of Object.keys(loop?.ungated ?? {})) found[kind] = (found[kind] ?? 0) + 1;
  return found;
}

function outcomeOf({ loops, outcome, thrown }: PoolExecution, failed: boolean): ThreadResult['outcome'] {
  if (outcome === 'watchdog') return 'unknown';
  if (failed && loops.some((loop) => loop !== null && loop.doubts.length > 0)) return 'unknown';
  if (outcome === 'deadlock' && thrown.length === 0) return 'deadlock';
  return failed ? 'fail' : 'pass';
}
