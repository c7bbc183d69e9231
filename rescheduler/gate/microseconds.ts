/**
 * What passes too quickly for the model of the loop, whose clock only sleeps and waits move: a look at the clock takes
 * time, and so do answers, most of all those that were written to disk, and what other processes do. It shows to who looks at the clock: what is
 * measured takes longer than nothing, as natively, and a loop that waits for a time ends. It is as much as on a quick
 * machine, and not what was really taken, so that it is the same in every run.
 *
 * A loop that sleeps wakes up a little late, and libuv sleeps full ms from wherever within one it is: what is left of a ms
 * is carried over, so that many sleeps after each other take longer than one of as many ms, whoever looks.
 */
import { type HostRequest, isAfterOthers } from '../../monitor/host/request.ts';

const PER_MS = 1000;
/** In microseconds: a look at the clock, an answer, and what another process writes, which had to be woken up. */
const QUICK = { look: 1, answer: 20, others: 100 };
const SLOW = { look: PER_MS, answer: PER_MS, others: PER_MS };
/** A turn that looks so often waits for a time to come. */
const WAITING_LOOKS = 1000;
/** By so much the loop wakes up late; and by so much for each ms that it slept: Linux puts wake-ups together. */
const WAKING = 120;
const SLACK = PER_MS / 1000;
/** So long at most. */
const MOST_SLACK = 100 * PER_MS;
/** The disk is waited for, or all that a process leaves behind when it ends is tidied up. */
const LONG = PER_MS;
const TAKES_LONG: ReadonlySet<string> = new Set(['fs.fsync', 'fs.fdatasync', 'child_process.exit']);

export class Microseconds {
  private count = 0;
  /** Looks within the present turn. */
  private looks = 0;
  private readonly each: typeof QUICK;

  constructor(isSlow = false) {
    this.each = isSlow ? SLOW : QUICK;
  }

  answered(request: HostRequest): void {
    this.count += isAfterOthers(request) ? this.each.others : this.each.answer;
    this.called(request.api);
  }

  /** The same within a turn. Other synchronous calls are work of the CPU, which takes no time here. */
  called(api: string): void {
    if (TAKES_LONG.has(api)) this.count += LONG;
  }

  /** The loop takes a step, with which the clock moves on by so many ms: full ones that are counted lie within them. */
  stepped(ms: number): void {
    this.looks = 0;
    this.count = Math.max(this.count % PER_MS, this.count - ms * PER_MS);
  }

  /** The loop sleeps for so many ms until a timer is due; the full ms by which it wakes up late. */
  slept(ms: number): number {
    this.stepped(ms);
    this.count += WAKING + Math.min(ms * SLACK, MOST_SLACK);
    return this.full();
  }

  /** One more look; the full ms that are over with it. */
  look(): number {
    this.count += this.each.look;
    this.looks += 1;
    return this.full();
  }

  private full(): number {
    const full = Math.floor(this.count / PER_MS);
    this.count -= full * PER_MS;
    return full;
  }

  /** So often did the present turn look that it is waiting for a time to come. */
  get waits(): boolean {
    return this.looks >= WAITING_LOOKS;
  }

  /** What is counted, beyond full ms. */
  get ms(): number {
    return Math.min(this.count, PER_MS - 1) / PER_MS;
  }
}
