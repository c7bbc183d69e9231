/**
 * A thread that runs as it likes, beside the others, while it is recorded: nothing is controlled, waits are the engine's
 * own. An event gets its number when it is logged. What others wait for (a release, a message) is logged before it
 * happens and a wait after it, so that what orders threads is recorded as it was; accesses that race may be recorded
 * in another order than they had.
 */
import { Op } from '../../data/threads/trace.ts';
import { EVENT_WORDS, H, OUTCOME, packEvent, SIGNAL, STATE, T } from './control.ts';
import { Holder } from './holder.ts';
import { unparkAll } from './parking.ts';

/** Words of an event of such a thread: its number among those of all threads, then those of the log. */
const NUMBERED_WORDS = 1 + EVENT_WORDS;

const { add, store } = Atomics;

export class FreeHolder extends Holder {
  override readonly free = true;
  private own = new Int32Array(NUMBERED_WORDS << 12);

  /** The events of this execution. */
  get numbered(): Int32Array {
    return this.own.slice(0, this.at);
  }

  override begin(): void {
    super.begin();
    this.at = 0;
  }

  protected override launch(): void {
    unparkAll(this.words);
  }

  override end(): void {
    const { mine, words } = this;
    this.quiet = 1;
    words[mine + T.State] = STATE.Ended;
    if (add(words, H.Finished, 1) + 1 < words[H.Threads]!) return;
    words[H.Outcome] = OUTCOME.Ended;
    store(words, H.Signal, SIGNAL.Ended);
  }

  override step(): void {}

  protected override put(op: Op, object: number, point: number): void {
    if (this.at === this.own.length) {
      const longer = new Int32Array(2 * this.own.length);
      longer.set(this.own);
      this.own = longer;
    }
    this.own[this.at] = add(this.words, H.Sequence, 1);
    this.own[this.at + 1] = packEvent(this.self, op, point);
    this.own[this.at + 2] = object;
    this.at += NUMBERED_WORDS;
  }

  override read(cell: number, point: number): boolean {
    this.log(Op.Read, cell, point);
    return false;
  }

  override write(cell: number, point: number): void {
    this.log(Op.Write, cell, point);
  }

  override wrote(): void {}

  override looked(): void {}

  override spin(): void {}
}

/** The events of all threads in the order of their numbers, as the log of an execution has them. */
export function inOrder(threads: readonly Int32Array[]): { log: Int32Array; switches: number } {
  const length = threads.reduce((sum, events) => sum + events.length, 0) / NUMBERED_WORDS;
  const log = new Int32Array(EVENT_WORDS * length);
  const by = new Uint8Array(length);
  for (const [thread, events] of threads.entries())
    for (let i = 0; i < events.length; i += NUMBERED_WORDS) {
      log.set(events.subarray(i + 1, i + NUMBERED_WORDS), EVENT_WORDS * events[i]!);
      by[events[i]!] = thread;
    }
  let switches = 0;
  for (let i = 1; i < length; i++) if (by[i] !== by[i - 1]) switches += 1;
  return { log, switches };
}
