/** A long trace in blocks that overlap, so that whatever is close together is in one of them. */
import type { ThreadEvents } from '../../../data/threads/trace.ts';
import { Frontier } from './frontier.ts';

/** Events that a block has in common with the one before it. */
export const OVERLAP = 1 << 15;

export interface Block {
  /** Index of its first event in the trace. */
  readonly from: number;
  readonly events: ThreadEvents;
  /** Where the threads stand before it. */
  readonly before: Frontier;
  /** Nothing follows. */
  readonly isLast: boolean;
}

/** Each block is overwritten by the next. A trace shorter than a block is one. */
export function* blocksOf(
  pieces: Iterable<ThreadEvents>,
  threads: number,
  overlap = OVERLAP,
): Generator<Block> {
  const columns = {
    op: new Uint8Array(2 * overlap),
    thread: new Uint16Array(2 * overlap),
    object: new Int32Array(2 * overlap),
    point: new Int32Array(2 * overlap),
  };
  const names = ['op', 'thread', 'object', 'point'] as const;
  const before = new Frontier(threads);
  let [from, length] = [0, 0];
  const block = (isLast: boolean): Block => ({
    from,
    events: {
      length,
      op: columns.op.subarray(0, length),
      thread: columns.thread.subarray(0, length),
      object: columns.object.subarray(0, length),
      point: columns.point.subarray(0, length),
    },
    before: before.copy(),
    isLast,
  });
  for (const piece of pieces)
    for (let at = 0; at < piece.length; ) {
      if (length === 2 * overlap) {
        yield block(false);
        for (let i = 0; i < overlap; i++) before.step(columns.op[i]!, columns.thread[i]!, columns.object[i]!);
        for (const name of names) columns[name].copyWithin(0, overlap);
        from += overlap;
        length = overlap;
      }
      const count = Math.min(piece.length - at, 2 * overlap - length);
      for (const name of names) columns[name].set(piece[name].subarray(at, at + count), length);
      at += count;
      length += count;
    }
  if (length > 0) yield block(true);
}
