/**
 * Calls of a component over shared memory as a program of threads: each call, or two that follow each other, is the body of
 * one. What comes of them is written beside the memory of the component, where no step is seen.
 */
import { deserialize, serialize } from 'node:v8';
import type { Failure } from '../../data/run.ts';
import type {
  CanonicalOutcome,
  CanonicalResult,
  ScenarioRun,
  SerialReply,
  ThreadCalls,
} from '../../data/scenario.ts';
import type { Operation, ThreadHarness, ThreadScenario } from '../../harnesses/api.ts';
import { failureOf } from '../failure.ts';
import { SubjectError } from '../subjects/protocol.ts';
import { ThreadStopped } from '../tokens/holder.ts';
import { add } from '../tokens/originals.ts';
import { canonicalError, tagged } from './canonical.ts';
import { type Draws, drawn } from './draw.ts';
import type { OverlapRun } from './judge.ts';
import { type OperationCall, taskName } from './plan.ts';
import { compared, isRefusal, observed } from './results.ts';
import { verdictOf } from './verdict.ts';

/** All that an execution shares. */
export interface CallsMemory {
  readonly own: unknown;
  /** How many beginnings and ends of calls there were; in a serial order, that it is one. */
  readonly counts: Int32Array;
  /** Of each call, when it began and ended by that count, from 1; its place in a serial order, -1: it is not made there. */
  readonly spans: Int32Array;
  /** Of each place of a serial order, whether the call before it has ended. */
  readonly turns: Int32Array;
  /** What each call gave. */
  readonly told: readonly Uint8Array[];
}

interface AttachedCalls {
  readonly own: unknown;
  readonly memory: CallsMemory;
}

/** What a call gave, as it is written. */
interface CallTold {
  readonly result: CanonicalResult;
  readonly isRefused: boolean;
}

interface JudgedCalls {
  readonly failure: Failure | null;
  /** It is as it should be. */
  readonly isServed: boolean;
  readonly serial?: SerialReply;
  readonly allowed?: string;
}

const [MOMENT, IS_SERIAL] = [0, 1];
const [BEGAN, ENDED, PLACE, SPAN] = [0, 1, 2, 3];
/** What a call returns may be so long, bytes. */
const ROOM = 1 << 14;
/** A call that waits for another one is left waiting: when nothing else can happen the next one is made, ms of virtual time. */
const AT_LAST_MS = 1e8;
/** There is nothing to look at where threads wait: whatever they hold is held for good. */
const UNSEEN = tagged('unseen');

/** A specification with the calls that overlap. */
export class ThreadOverlap {
  readonly spec: ThreadScenario;
  readonly calls: readonly OperationCall[];
  private readonly draws: Draws;
  private readonly name: string;
  private readonly sequel: number | null;

  /** @throws SubjectError where the file does not declare them any more. */
  constructor(
    specs: readonly ThreadScenario[],
    file: string,
    { args, name, operations, sequel, spec }: ThreadCalls,
  ) {
    const found = specs.find((each) => each.name === spec);
    if (!found) throw new SubjectError(`${file}: no scenario named '${name}'`);
    this.spec = found;
    this.name = name;
    this.sequel = sequel;
    this.draws = drawn(found, file);
    this.calls = operations.map((operation, at) => {
      const list = this.draws.get(operation)?.[args[at]!];
      if (!list) throw new SubjectError(`${file}: no scenario named '${name}'`);
      return { operation, args: list };
    });
  }

  /** As a program whose check is not in it: see {@link outcome}. */
  get program(): ThreadHarness<CallsMemory, AttachedCalls> {
    const { calls, name, sequel, spec } = this;
    const threads: Record<string, (state: AttachedCalls) => unknown> = {};
    for (const at of calls.keys()) {
      if (at === sequel) continue;
      const of = at + 1 === sequel ? [at, sequel] : [at];
      const key = taskName(
        of.map((call) => calls[call]!),
        at,
      );
      threads[key] = (state) => this.make(state, of);
    }
    return {
      name,
      threads,
      memory: () => {
        const shared = (ints: number) => new Int32Array(new SharedArrayBuffer(4 * ints));
        return {
          own: spec.memory(),
          counts: shared(2),
          spans: shared(SPAN * calls.length),
          turns: shared(calls.length + 1),
          told: calls.map(() => new Uint8Array(new SharedArrayBuffer(ROOM))),
        };
      },
      attach: (memory) => ({ memory, own: spec.attach(memory.own) }),
      check: () => {},
    };
  }

  /** The calls are made in this order; those that are missing are not made. */
  inOrder({ counts, spans }: CallsMemory, order: readonly number[]): void {
    counts[IS_SERIAL] = 1;
    for (const at of this.calls.keys()) spans[SPAN * at + PLACE] = order.indexOf(at);
  }

  /**
   * What is to be said of an execution; `isWhole`: all threads have ended, `failure`: what that says by itself. A call that
   * waits for ever waits in some serial order as well, or there is no such order.
   */
  async judged(
    memory: CallsMemory,
    isWhole: boolean,
    failure: Failure | null,
    asked: ScenarioRun,
  ): Promise<JudgedCalls> {
    const run = await this.outcome(memory, isWhole);
    const served = { failure: null, isServed: true };
    if (asked.kind === 'serial')
      return { ...served, serial: { outcome: run.outcome, clockMs: 0, isBlocked: !isWhole } };
    const { allowed, error } = verdictOf(this, run, asked.serial);
    if (!error) return { ...served, ...(allowed !== undefined && { allowed }) };
    return { failure: failure ?? failureOf(error), isServed: false };
  }

  private async outcome(memory: CallsMemory, isWhole: boolean): Promise<OverlapRun> {
    const { calls, draws, spec } = this;
    const told = calls.map((_, at): CallTold | null => {
      const bytes = memory.told[at]!;
      return memory.spans[SPAN * at + ENDED] === 0 ? null : deserialize(bytes);
    });
    const then = isWhole ? await observed(spec, spec.attach(memory.own), draws) : UNSEEN;
    const outcome: CanonicalOutcome = { results: told.map((each) => each?.result ?? 'never settled'), then };
    const moment = (of: number) =>
      calls.map((_, at) => memory.spans[SPAN * at + of]! || Number.POSITIVE_INFINITY);
    const refused = [...told.keys()].filter((at) => told[at]?.isRefused);
    return { outcome, refused, began: moment(BEGAN), ended: moment(ENDED) };
  }

  /** Calls one behind the other; a promise where one of them is asynchronous. */
  private make(state: AttachedCalls, calls: readonly number[]): unknown {
    const [first, ...others] = calls;
    if (first === undefined) return undefined;
    const call = this.call(state, first);
    return call ? call.then(() => this.make(state, others)) : this.make(state, others);
  }

  private call({ memory, own }: AttachedCalls, at: number): Promise<void> | undefined {
    if (!mayBegin(memory, at)) return undefined;
    const { args, operation: name } = this.calls[at]!;
    const operation = this.spec.operations[name]!;
    const gave = (value: unknown): void =>
      tell(memory, at, { result: { value: compared(operation, value) }, isRefused: false });
    const threw = (error: unknown): void => tell(memory, at, thrown(operation, error));
    memory.spans[SPAN * at + BEGAN] = 1 + add(memory.counts, MOMENT, 1);
    let value: unknown;
    try {
      value = operation.run(own, ...args);
    } catch (error) {
      threw(error);
      return undefined;
    }
    if (typeof (value as PromiseLike<unknown> | null | undefined)?.then !== 'function') gave(value);
    else return Promise.resolve(value).then(gave, threw);
    return undefined;
  }
}

/** In a serial order, waits for the call before; false: it is not made. */
function mayBegin({ counts, spans, turns }: CallsMemory, at: number): boolean {
  if (counts[IS_SERIAL] === 0) return true;
  const place = spans[SPAN * at + PLACE]!;
  // Under the token its time passes when nobody else can run.
  if (place > 0) Atomics.wait(turns, place, 0, place * AT_LAST_MS);
  return place >= 0;
}

function tell({ counts, spans, told, turns }: CallsMemory, at: number, what: CallTold): void {
  const bytes = serialize(what);
  if (bytes.length > ROOM)
    throw new Error(`what an operation returns may be ${ROOM} bytes long; \`result\` says what of it counts`);
  // One by one: `set` would be steps, as what the program calls.
  for (const [place, byte] of bytes.entries()) told[at]![place] = byte;
  spans[SPAN * at + ENDED] = 1 + add(counts, MOMENT, 1);
  if (counts[IS_SERIAL] === 0) return;
  const next = spans[SPAN * at + PLACE]! + 1;
  turns[next] = 1;
  Atomics.notify(turns, next);
}

/** Who is stopped because nobody can run any more has not come to an end. */
function thrown(operation: Operation<any>, error: unknown): CallTold {
  if (error instanceof ThreadStopped) throw error;
  return { result: { rejects: canonicalError(error) }, isRefused: isRefusal(operation, error) };
}
