/** Runs harnesses of threads inside of a process of their own: a pool for the harness in use, memory, check. */

import { THREAD_HARNESSES, type ThreadHarness } from '../../harnesses/api.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { requireAdapters } from '../../monitor/locks/user.ts';
import type { Linker } from '../../monitor/modules/linker.ts';
import { type Named, placeOf, pointText, traceOf } from '../../monitor/threads/trace.ts';
import { DEADLOCK, failureOf, plainFailure } from '../failure.ts';
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
  private pool: { readonly key: string; readonly pool: Pool } | null = null;

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
    const harness = await this.load(file, name);
    const expected = spec.kind === 'directed' ? spec.schedule.expected : null;
    const pool = await this.poolFor(
      file,
      harness,
      loops ? 'loops' : spec.kind === 'free' ? 'free' : 'controlled',
    );
    const naming = request.record || expected !== null;
    const executed = await pool.execute(harness.memory(), {
      ...orderOf(spec),
      record: naming,
      transactions: request.record,
      watchdogMs,
      steps: spec.kind === 'directed' ? (spec.schedule.deliveries ?? null) : null,
    });
    if (executed.asynchronous) {
      this.loops.add(name);
      return { ...(await this.run(request)), loops: true };
    }
    const failure = await this.failureOf(executed, harness);
    const stuck = executed.outcome === 'deadlock' || executed.outcome === 'watchdog';
    const named = naming || stuck ? this.named(executed, pool.names) : null;
    const ran: ThreadResult = {
      outcome: outcomeOf(executed, failure !== null),
      ...followedOf(spec, executed.strayed, named?.trace ?? null),
      failure,
      waits: stuck && named ? waitsOf(named, executed.waiting, this.place) : [],
      events: executed.events.reduce((sum, piece) => sum + piece.length / EVENT_WORDS, 0),
      switches: executed.switches,
      traceHash: hashOf(executed.events),
      taken: failure ? takenBy(executed.events) : [],
      deliveries: failure && loops ? executed.loops.map((loop) => loop?.steps ?? []) : [],
      ungated: ungatedOf(executed),
      durationMs: performance.now() - started,
    };
    return {
      ran,
      trace:
        request.record && named
          ? withTasks(
              named.trace,
              executed.loops.map((loop) => loop?.causalLog ?? null),
            )
          : null,
      sites:
        request.record && named
          ? named.points.map((point) => pointText(this.runtime.loader.sites[point]))
          : [],
      reusable: pool.alive,
    };
  }

  private readonly place = (point: number): string => placeOf(this.runtime.loader.sites[point]);

  /** Evaluates the file afresh. */
  private async load(file: string, name: string): Promise<ThreadHarness> {
    const own: ThreadHarness[] = [];
    (globalThis as { [THREAD_HARNESSES]?: ThreadHarness[] })[THREAD_HARNESSES] = own;
    await this.linker.instance().import(file);
    const harness = own.find((each) => each.name === name);
    if (!harness) throw new SubjectError(`${file}: no harness of threads named '${name}'`);
    if (Object.keys(harness.threads).length > MOST_THREADS)
      throw new SubjectError(`${file}: harness '${name}' has more than ${MOST_THREADS} threads`);
    return harness;
  }

  private async poolFor(file: string, harness: ThreadHarness, manner: BodyMode): Promise<Pool> {
    const key = `${file}\0${harness.name}\0${manner}`;
    if (this.pool?.key === key) return this.pool.pool;
    await this.pool?.pool.close();
    this.pool = { key, pool: new Pool(this.control, file, harness, this.config, manner) };
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

  private async failureOf(executed: PoolExecution, harness: ThreadHarness): Promise<ThreadResult['failure']> {
    const [thrown] = executed.thrown;
    if (thrown) return failureOf(thrown.what);
    switch (executed.outcome) {
      case 'deadlock':
        return DEADLOCK;
      case 'died':
        return plainFailure('exception', 'ThreadEnded', executed.deaths.join('; '));
      case 'watchdog':
        return plainFailure('timeout', 'Timeout', 'the threads did not end in time');
      case 'ended':
        try {
          await harness.check(harness.attach(executed.memory));
          return null;
        } catch (error) {
          return failureOf(error);
        }
    }
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
