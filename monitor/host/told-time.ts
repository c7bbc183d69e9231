/** What another process tells may be the time, by a clock that does not leap as that of the run does (C13). */

/** Seconds or milliseconds of the epoch, a date, a time of day. */
const TIME = /(?<!\d)(?:\d{10}(?:\.\d+)?|\d{13})(?!\d)|\d{4}-\d\d-\d\d|(?<!\d)\d\d?:\d\d:\d\d(?!\d)/g;
/** Of the present moment, so far away it is still taken for a look at the clock, ms. */
const NEAR = 24 * 3_600_000;

/** Whether there is a time of these days in what a process wrote. `now`: the real time, ms of the epoch. */
export function tellsTime(bytes: ArrayBufferView | ArrayBuffer, now: number): boolean {
  const view = ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Buffer.from(bytes);
  for (const [text] of view.toString('latin1').matchAll(TIME)) {
    if (/[:-]/.test(text)) return true;
    const ms = Number(text) * (/^\d{13}$/.test(text) ? 1 : 1000);
    if (Math.abs(ms - now) < NEAR) return true;
  }
  return false;
}
