/**
 * `Atomics` of a thread under control. An operation that reads and writes is one step and one event, a write: what
 * conflicts with a read conflicts with a write, too.
 */
import { Op } from '../../data/threads/trace.ts';
import { replaceMethod } from '../replace.ts';
import type { Token } from './token.ts';
import type { Marked, Views } from './views.ts';

type SharedWords = Int32Array & Marked;
type Operation = (view: SharedWords, index: number, ...operands: unknown[]) => unknown;

const READ_WRITE = ['add', 'sub', 'and', 'or', 'xor', 'exchange'] as const;

/** Replaces the functions of the global object; `pointHere` numbers the place of the program that calls. */
export function installAtomics(
  token: Token,
  views: Views,
  pointHere: () => number,
  nameOf: (point: number) => string | null,
): void {
  const raw = { ...ownFunctions() };
  const cellAt = (view: SharedWords, index: unknown): number => {
    const shared = views.of(view);
    if (shared === null) return -1;
    if (token.quiet === 0) shared.name ??= nameOf(pointHere());
    return shared.cell + Number(index) * shared.stride;
  };
  /** What an operation leaves: its event, and whoever waited for a write. */
  const done = (cell: number, write: boolean, value: unknown): void => {
    if (token.quiet === 0) token.log(write ? Op.Write : Op.Read, cell, pointHere());
    if (write) token.wrote(cell);
    else token.looked(cell, value);
  };
  /** Wraps one function. `writes` tells from what came whether it wrote. */
  const wrap = (name: string, writes: (result: unknown, operands: readonly unknown[]) => boolean): void => {
    const operation = raw[name]!;
    replace(name, (view, index, ...operands) => {
      const cell = cellAt(view, index);
      if (cell < 0) return operation(view, index, ...operands);
      if (token.quiet === 0) token.step();
      const from = token.asksForChanges ? raw['load']!(view, index) : undefined;
      const result = operation(view, index, ...operands);
      const isWrite = writes(result, operands);
      done(cell, isWrite, result);
      if (isWrite && token.asksForChanges)
        token.changed(from, raw['load']!(view, index), name === 'compareExchange');
      return result;
    });
  };
  wrap('load', () => false);
  wrap('waitAsync', () => false);
  wrap('store', () => true);
  for (const name of READ_WRITE) wrap(name, () => true);
  wrap('compareExchange', (result, [expected]) => result === coerced(expected, result));

  replace('wait', (view, index, expected, timeout) => {
    const cell = cellAt(view, index);
    if (cell < 0) return raw['wait']!(view, index, expected, timeout);
    if (token.quiet === 0) token.step();
    if (token.free) {
      if (token.quiet === 0) token.log(Op.Read, cell, pointHere());
      const woken = raw['wait']!(view, index, expected, timeout);
      if (woken !== 'not-equal' && token.quiet === 0)
        token.log(woken === 'ok' ? Op.Receive : Op.Read, cell, pointHere());
      return woken;
    }
    const isTold = raw['load']!(view, index) !== coerced(expected, view[0]);
    // Who need not wait any more was told by what is there.
    if (token.quiet === 0) token.log(isTold ? Op.Receive : Op.Read, cell, pointHere());
    if (isTold) return 'not-equal';
    const ms = timeout === undefined ? Number.POSITIVE_INFINITY : Number(timeout);
    const woken = token.wait(cell, Number.isNaN(ms) ? Number.POSITIVE_INFINITY : Math.max(0, ms));
    if (token.quiet === 0) {
      token.step();
      token.log(woken === 'ok' ? Op.Receive : Op.Read, cell, pointHere());
    }
    return woken;
  });
  replace('notify', (view, index, count) => {
    const cell = cellAt(view, index);
    if (cell < 0) return raw['notify']!(view, index, count);
    if (token.quiet === 0) {
      token.step();
      token.log(Op.Send, cell, pointHere());
    }
    if (token.free) return raw['notify']!(view, index, count);
    const most = count === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.trunc(Number(count)));
    const woken = token.notify(cell, most);
    // Who waits asynchronously waits in the engine.
    return woken < most ? woken + Number(raw['notify']!(view, index, most - woken)) : woken;
  });
}

function ownFunctions(): Record<string, Operation> {
  const atomics = Atomics as unknown as Record<string, Operation>;
  return Object.fromEntries(Object.getOwnPropertyNames(Atomics).map((name) => [name, atomics[name]!]));
}

const replace = (name: string, operation: Operation): void => replaceMethod(Atomics, name, operation);

/** An operand as the element that it is compared with. */
const coerced = (operand: unknown, like: unknown): unknown =>
  typeof like === 'bigint' ? BigInt.asIntN(64, operand as bigint) : Number(operand) | 0;
