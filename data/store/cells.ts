/** Checked readers of what SQLite returns: the file may have been written by anybody. */
import type { z } from 'zod';
import { StoreError } from './error.ts';

/** One value of a row. */
export type Cell = string | number | bigint | Uint8Array | null;

/** A store whose rows contradict the schema. */
export function corrupt(what: string): StoreError {
  return new StoreError('corrupt', `damaged: ${what}`);
}

export function int(cell: Cell | undefined, what: string): number {
  if (typeof cell !== 'number' || !Number.isSafeInteger(cell)) throw corrupt(`${what} is not an integer`);
  return cell;
}

/** An integer in [from, to). */
export function index(cell: Cell | undefined, from: number, to: number, what: string): number {
  const value = int(cell, what);
  if (value < from || value >= to) throw corrupt(`${what} ${value} is out of range`);
  return value;
}

export function real(cell: Cell | undefined, what: string): number {
  if (typeof cell !== 'number') throw corrupt(`${what} is not a number`);
  return cell;
}

export function text(cell: Cell | undefined, what: string): string {
  if (typeof cell !== 'string') throw corrupt(`${what} is not a text`);
  return cell;
}

export function blob(cell: Cell | undefined, what: string): Uint8Array {
  if (!(cell instanceof Uint8Array)) throw corrupt(`${what} is not a blob`);
  return cell;
}

export function oneOf<const T extends string>(words: readonly T[], cell: Cell | undefined, what: string): T {
  if (!words.includes(cell as T)) throw corrupt(`${what} ${JSON.stringify(cell)} is unknown`);
  return cell as T;
}

/** A JSON column, checked by its schema. */
export function json<T>(schema: z.ZodType<T>, cell: Cell | undefined, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text(cell, what));
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw corrupt(`${what} is not JSON`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw corrupt(`${what}: ${issue?.path.join('.')} ${issue?.message}`);
}

/** Applies a reader to a cell that may be null. */
export function nullable<T>(
  read: (cell: Cell, what: string) => T,
  cell: Cell | undefined,
  what: string,
): T | null {
  return cell === null || cell === undefined ? null : read(cell, what);
}
