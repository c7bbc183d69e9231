/**
 * Reads that bring as much as one read takes of what the peer has written. How much of that lies ready in the kernel, whose windows and
 * buffers grow as it likes, is another thing in each run: of large bodies no two runs would have the same pieces.
 */
import type { End } from './end.ts';

/** What Node reads at a time, bytes. */
const ONE_READ = 65_536;

/** As Node tells it: a number of bytes with the buffer that has them, or an error. */
export type ReadThen = (nread: number, offset: number, buffer: ArrayBuffer | undefined) => void;

/** Reads for `end` by `once`, which lets Node read once; what that brings beyond one read is {@link End.spare}. */
export function readWhole(end: End, once: (then: ReadThen) => void, then: ReadThen): void {
  const parts: Uint8Array[] = [];
  const wanted = Math.min(ONE_READ, (end.peer?.sent ?? 0) - end.got);
  let length = 0;
  const add = (bytes: Uint8Array): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  const finish = (behind: number | null): void => {
    const whole = joined(parts, length);
    const told = Math.min(length, ONE_READ);
    const bytes = whole.subarray(told);
    if (bytes.length > 0 || behind !== null) end.spare = { bytes, end: behind };
    then(told, 0, whole.buffer);
  };
  const next: ReadThen = (nread, offset, buffer) => {
    // A buffer of the program's own is read into as it comes.
    if (length === 0 && (nread <= 0 || nread >= wanted || !buffer)) then(nread, offset, buffer);
    else if (nread <= 0 || !buffer) finish(nread);
    else {
      add(new Uint8Array(buffer, offset, nread));
      if (length < wanted) once(next);
      else finish(null);
    }
  };
  const { spare } = end;
  end.spare = null;
  if (spare) add(spare.bytes);
  if (spare && length === 0 && spare.end !== null) then(spare.end, 0, undefined);
  else if (spare && (length >= wanted || spare.end !== null)) finish(spare.end);
  else once(next);
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
