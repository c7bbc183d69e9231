/**
 * A thread that its own program starts, with its event loop under the gate. It can run from the step on by which it is
 * made: who hands the token to it does not wait until Node has started it, so that the order of steps does not depend on
 * when that is.
 */
import { Op } from '../../../data/threads/trace.ts';
import { type Control, H, record, SIGNAL, STATE, T } from '../../tokens/control.ts';
import { ThreadStopped } from '../../tokens/holder.ts';
import { LoopHolder } from '../../tokens/loop-holder.ts';
import { unpark } from '../../tokens/parking.ts';
import type { TurnListener } from '../turn-holder.ts';

const MAIN = 0;

export class ProgramHolder extends LoopHolder {
  private readonly listener: TurnListener;
  private readonly parent: number;
  private hasBegun = false;

  /** `parent`: the thread that made this one. */
  constructor(
    control: Control,
    asyncWaiters: Int32Array,
    self: number,
    parent: number,
    listener: TurnListener,
  ) {
    super(control, self, asyncWaiters);
    this.listener = listener;
    this.parent = parent;
  }

  /** Waits for the first grant; the main thread's is the first of all. */
  override begin(): void {
    this.renew();
    if (this.self === MAIN) {
      this.born(MAIN);
      this.launch();
    }
    this.park();
    this.words[this.mine + T.Inside] = 1;
    this.quiet = 0;
    this.hasBegun = true;
    this.log(Op.Begin, -1, 0);
  }

  override turn(...args: Parameters<LoopHolder['turn']>): boolean {
    return this.betweenTurns(() => super.turn(...args));
  }

  override rest(...args: Parameters<LoopHolder['rest']>): 'time' | 'news' | 'over' {
    return this.betweenTurns(() => super.rest(...args));
  }

  override others(): boolean {
    return this.betweenTurns(() => super.others());
  }

  override claim(...args: Parameters<LoopHolder['claim']>): 'now' | 'later' | 'over' {
    return this.betweenTurns(() => super.claim(...args));
  }

  /** Calls `fn` while no code of the program is under way. */
  private betweenTurns<R>(fn: () => R): R {
    const inside = this.mine + T.Inside;
    this.words[inside] = 0;
    try {
      return fn();
    } finally {
      this.words[inside] = 1;
    }
  }

  protected override park(): void {
    super.park();
    if (this.isStopped) throw new ThreadStopped();
  }

  /** Has a thread that was buried give up, for another execution; false: code of the program is under way there. */
  stop(thread: number): boolean {
    const its = record(thread);
    if (this.words[its + T.Inside] === 1) return false;
    this.words[its + T.Quit] = 1;
    unpark(this.words, thread);
    return true;
  }

  /** This thread was told to give up: it makes no step any more. */
  get isStopped(): boolean {
    return this.words[this.mine + T.Quit] === 1;
  }

  /** What it does as it ends are no steps. */
  retire(): void {
    this.hasBegun = false;
    this.quiet = 1;
  }

  /** A thread is made. */
  born(thread: number): void {
    const its = record(thread);
    this.words[its + T.Operation] = -1;
    this.words[its + T.Deadline] = -1;
    this.words[its + T.Behind] = this.time;
    this.words[its + T.Parent] = this.self;
    this.words[its + T.State] = STATE.Ready;
  }

  protected override renew(): void {
    super.renew();
    this.hasBegun = false;
  }

  override end(): void {
    if (this.words[this.mine + T.State] === STATE.Ended || !this.hasBegun) return;
    this.hasBegun = false;
    this.log(Op.End, -1, 0);
    this.buryWorkersOf(this.self);
    this.listener.leaving();
    this.rouse(this.parent);
    super.end();
  }

  /** The process is about to end with this thread: nobody else makes a step any more. */
  close(): void {
    if (!this.hasBegun) return;
    this.listener.leaving();
    this.words[H.Events] = this.at;
    this.quiet = 1;
  }

  /** A thread was terminated: wherever it is, it makes no step any more. */
  bury(thread: number): void {
    const { words } = this;
    const its = record(thread);
    const state = words[its + T.State];
    if (state === STATE.Ended) return;
    if (state === STATE.Blocked || state === STATE.Spinning) words[H.Waiting]! -= 1;
    words[its + T.State] = STATE.Ended;
    this.buryWorkersOf(thread);
  }

  /** With a thread its workers end. */
  private buryWorkersOf(thread: number): void {
    const { words } = this;
    for (let worker = MAIN + 1; worker < words[H.Threads]!; worker++)
      if (words[record(worker) + T.Parent] === thread) this.bury(worker);
  }

  protected override give(thread: number, steps: number): boolean {
    if (thread !== this.self) this.listener.leaving();
    return super.give(thread, steps);
  }

  protected override finish(): void {
    this.listener.leaving();
    this.words[H.Events] = this.at;
    this.listener.deadlock();
  }

  /** No room for further events: what follows is not recorded, which the reader sees. */
  protected override flush(): void {
    this.words[H.Signal] = SIGNAL.LogFull;
    this.at = 0;
  }
}
