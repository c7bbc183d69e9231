/** What another process tells, or is told, may be the time: its clock does not leap as that of the run does (C13). */

/** Seconds or milliseconds of the epoch, a date, a time of day. */
const TIME = /(?<!\d)(?:\d{10}(?:\.\d+)?|\d{13})(?!\d)|\d{4}-\d\d-\d\d|(?<!\d)\d\d?:\d\d:\d\d(?!\d)/g;
/** Of the present moment, so far away it is still taken for a look at the clock, ms. */
const NEAR = 24 * 3_600_000;

/** An argument that is nothing but a time, or the value of an option: names of files often have one within. */
const ARGUMENT = /^(?:[^=]*=)?([\dTZ:.+-]+)$/;

export const CHILD_CLOCK = 'the clock of a child process';

/** Whether there is a time of these days in what a process wrote or read. `now`: the real time, ms of the epoch. */
export function tellsTime(what: ArrayBufferView | ArrayBuffer | string, now: number): boolean {
  for (const [text] of textOf(what).matchAll(TIME)) {
    if (/[:-]/.test(text)) return true;
    const ms = Number(text) * (/^\d{13}$/.test(text) ? 1 : 1000);
    if (Math.abs(ms - now) < NEAR) return true;
  }
  return false;
}

/** Whether one of the arguments of a process is such a time. */
export const hasTime = (args: readonly unknown[], now: number): boolean =>
  args.some((arg) => typeof arg === 'string' && tellsTime(ARGUMENT.exec(arg)?.[1] ?? '', now));

function textOf(what: ArrayBufferView | ArrayBuffer | string): string {
  if (typeof what === 'string') return what;
  const bytes = ArrayBuffer.isView(what)
    ? Buffer.from(what.buffer, what.byteOffset, what.byteLength)
    : Buffer.from(what);
  return bytes.toString('latin1');
}
