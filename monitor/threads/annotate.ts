/**
 * What a library of locks tells Unweave. Every operation is given as a body of plain `Atomics` code; without
 * Unweave the body just runs. Under Unweave it is one step: a scheduling point before it, nothing inside of it, and one
 * event when it has come to pass. A body may wait (`Atomics.wait`) or spin: its thread is blocked meanwhile.
 *
 * A place is a view of shared memory; what counts is the buffer and the offset at which the view begins.
 */
import { Op } from '../../data/threads/trace.ts';

export type SharedPlace = ArrayBufferView;

/** What a run under Unweave does with the annotations of its threads. */
export interface ThreadHooks {
  operation<T>(op: Op, place: SharedPlace, body: () => T): T;
  transaction<T>(name: string, body: () => T): T;
  name(view: SharedPlace | SharedArrayBuffer, name: string): void;
}

/** Where the hooks of a thread are: a property of `globalThis`, so that every copy of this module finds them. */
export const HOOKS: unique symbol = Symbol.for('unweave.threads');
const holder = globalThis as { [HOOKS]?: ThreadHooks };

const operation =
  (op: Op) =>
  <T>(place: SharedPlace, body: () => T): T => {
    const hooks = holder[HOOKS];
    return hooks === undefined ? body() : hooks.operation(op, place, body);
  };

/** Takes a lock alone; re-entrant. A body that returns `false` did not get it. */
export const acquire = operation(Op.Acquire);
/** Gives back what {@link acquire} took. */
export const release = operation(Op.Release);
/** Takes a read-write lock for reading. A body that returns `false` did not get it. */
export const acquireShared = operation(Op.AcquireShared);
/** Gives back what {@link acquireShared} took. */
export const releaseShared = operation(Op.ReleaseShared);
/** Whoever receives from the channel later needs this: a notification, a permit, a message. */
export const send = operation(Op.Send);
/** Needs the last send on the channel. A body that returns `false` received nothing (a time-out). */
export const receive = operation(Op.Receive);
/** Every later {@link leave} of this barrier needs this arrival. */
export const arrive = operation(Op.Arrive);
/** Needs every arrival so far; the thread itself has arrived before. A body that returns `false` did not leave. */
export const leave = operation(Op.Leave);

/** Runs `body` as a transaction: it should look as if nothing of another thread fell into it. */
export function transaction<T>(name: string, body: () => T): T {
  const hooks = holder[HOOKS];
  return hooks === undefined ? body() : hooks.transaction(name, body);
}

/** Names shared memory in reports: elements of the view are then `name[3]`, or `name` where it has just one. */
export function nameShared<V extends SharedPlace | SharedArrayBuffer>(view: V, name: string): V {
  holder[HOOKS]?.name(view, name);
  return view;
}
