/**
 * A thread that its own program starts, with its event loop under the gate. It can run from the step on by which it is
 * made: who hands the token to it does not wait until Node has started it, so that the order of steps does not depend on
 * when that is.
 */
import { Op } from '../../../data/threads/trace.ts';
import { type Control, H, record, SIGNAL, STATE, T } from '../../tokens/control.ts';
import { LoopHolder } from '../../tokens/loop-holder.ts';
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
    this.quiet = 0;
    this.hasBegun = true;
    this.log(Op.Begin, -1, 0);
  }

  /** A thread is made. */
  born(thread: number): void {
    const its = record(thread);
    this.words[its + T.Operation] = -1;
    this.words[its + T.Deadline] = -1;
    this.words[its + T.Behind] = this.time;
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
