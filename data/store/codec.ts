/**
 * Columns of 32-bit integers as varints of zigzagged differences: neighbours are near, most take one byte.
 * Differences wrap modulo 2^32, so every Int32 column round-trips.
 */
import { StoreError } from './error.ts';

/** Most bytes that one value can take. */
const MAX_VARINT = 5;

/** A column of integers to encode. */
export type Column = Int32Array | Uint16Array | Uint8Array;

/** Encodes `column[from, to)`. */
export function encodeColumn(column: Column, from = 0, to = column.length): Uint8Array {
  const bytes = new Uint8Array((to - from) * MAX_VARINT);
  let at = 0;
  let previous = 0;
  for (let i = from; i < to; i++) {
    const value = column[i] as number;
    const difference = (value - previous) | 0;
    previous = value;
    let rest = ((difference << 1) ^ (difference >> 31)) >>> 0;
    while (rest > 0x7f) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
  }
  return bytes.slice(0, at);
}

/**
 * Decodes exactly `count` values into `into` from index `start` on. Throws a {@link StoreError} on bytes that
 * {@link encodeColumn} cannot have written: too few, too many, a value of more than 32 bits, a padded one.
 */
export function decodeColumn(bytes: Uint8Array, into: Column, start: number, count: number): void {
  const end = bytes.length;
  let at = 0;
  let previous = 0;
  for (let i = start; i < start + count; i++) {
    if (at >= end) throw new StoreError('truncated', 'an event chunk is truncated');
    let byte = bytes[at++] as number;
    let zigzag = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      if (at >= end) throw new StoreError('truncated', 'an event chunk is truncated');
      byte = bytes[at++] as number;
      if (byte === 0 || (shift === 28 && byte > 0x0f))
        throw new StoreError('corrupt', 'damaged: an event chunk holds no 32-bit varint');
      zigzag |= (byte & 0x7f) << shift;
    }
    previous = (previous + ((zigzag >>> 1) ^ -(zigzag & 1))) | 0;
    into[i] = previous;
    if (into[i] !== previous)
      throw new StoreError('corrupt', 'damaged: an event chunk holds a value out of range');
  }
  if (at !== end) throw new StoreError('corrupt', 'damaged: an event chunk has bytes left over');
}
