/**
 * What passes too quickly for the model of the loop, whose clock only sleeps and waits move: a look at the clock takes
 * time, and so do answers, most of all those that were written to disk. It shows to who looks at the clock: what is
 * measured takes longer than nothing, as natively, and a loop that waits for a time ends. It is as much as on a quick
 * machine, and not what was really taken, so that it is the same in every run.
 */

const PER_MS = 1000;
/** A look at the clock, an answer on a quick machine, and one for which the disk was waited for, in microseconds. */
const LOOK = 1;
const ANSWER = 20;
const DISK = PER_MS;
const WAITS_FOR_DISK: ReadonlySet<string> = new Set(['fs.fsync', 'fs.fdatasync']);

export class Microseconds {
  private count = 0;
  /** Looks within the present turn. */
  private looks = 0;

  answered(api: string): void {
    this.count += ANSWER;
    this.called(api);
  }

  /** The same within a turn. Other synchronous calls are work of the CPU, which takes no time here. */
  called(api: string): void {
    if (WAITS_FOR_DISK.has(api)) this.count += DISK;
  }

  /** The loop takes a step, with which the clock moves on by so many ms: what is counted lies within them. */
  stepped(ms: number): void {
    this.looks = 0;
    this.count = Math.max(0, this.count - ms * PER_MS);
  }

  /** One more look; the full ms that are over with it. */
  look(): number {
    this.count += LOOK;
    this.looks += 1;
    const over = Math.floor(this.count / PER_MS);
    this.count -= over * PER_MS;
    return over;
  }

  /** So often did the present turn look that it is waiting for a time to come. */
  get waits(): boolean {
    return this.looks * LOOK >= PER_MS;
  }

  /** What is counted, beyond full ms. */
  get ms(): number {
    return Math.min(this.count, PER_MS - LOOK) / PER_MS;
  }
}
