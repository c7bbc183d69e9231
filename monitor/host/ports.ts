/**
 * Messages: between ports of this process, from workers, over broadcast channels. They all come through a port. What
 * this thread sends to itself the kernel has at once, so that the next poll phase brings it (C9): it is waited for, so
 * that it is held before anything else happens. What a worker sends meanwhile is taken for the same.
 */

import { isMainThread, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { replaceMethod, wrapMethod } from '../replace.ts';
import { DISPATCH, type Dispatch, RECEIVING, symbolOf, valueUnder } from '../symbols.ts';
import { portsTransferred } from '../transfers.ts';
import type { Context } from './context.ts';
import type { HostDoubts, HostLiveness, HostRequests } from './controller.ts';
import { HeldSource } from './held.ts';
import { originOf } from './naming.ts';
import type { Call } from './net/binding.ts';
import { PortBirths } from './port-births.ts';
import { PortEnds } from './port-ends.ts';
import { afterRounds } from './rounds.ts';
import { isOfNode, onWorker } from './workers.ts';

/**
 * Behind so many check phases all that a turn sent has come: one poll phase at least has begun since, and the closing
 * phase of a round in which a port learnt that the other one is closed.
 */
const ROUNDS = 3;

type ListeningPort = object & { listenerCount(type: string): number };

export interface Ports {
  /** All messages come from this thread: once what was sent is there, no more can come. */
  isLocal(): boolean;
}

/**
 * Wraps the one function through which Node hands every message to its port, and what leads to messages. `later` calls
 * in another round of the loop, as if the run were not there.
 */
export function wrapPorts(
  controller: HostRequests & HostLiveness & HostDoubts,
  capture: () => Context,
  later: (fn: () => void) => void,
): Ports {
  const { prototype } = MessagePort as unknown as { prototype: Record<symbol, any> };
  if (!DISPATCH) throw new Error(`Node ${process.version} hands out messages in another way`);
  const births = new PortBirths(controller);
  const native = prototype[DISPATCH] as Dispatch;
  /** Runs in which ports were sent with a message: those are known to nothing but the event of that message. */
  const carriers = new WeakSet<object>();
  /** Ports that were closed themselves; others learn by a message that the other end is closed. */
  const closed = new WeakSet<object>();
  /** How often something was sent within the last rounds. */
  let sent = 0;
  let ending = { root: {} as object, ends: new PortEnds(soon) };
  const sources = new WeakMap<object, { readonly root: object; readonly source: HeldSource }>();

  let threads = 0;
  /** By which this thread talks to its workers. */
  const ofWorkers = new WeakSet<object>();
  /** By which Node asks a thread of its own for modules. */
  const ofNode = new WeakSet<object>();
  const know = (worker: Worker): void => {
    const port = valueUnder(worker, 'kPublicPort');
    if (typeof port === 'object' && port !== null) (isOfNode(worker) ? ofNode : ofWorkers).add(port);
  };
  // Node tells of a worker in a tick, before which one that a hook has started may be sent something.
  wrapMethod(
    Worker.prototype,
    'postMessage',
    (native) =>
      function (this: Worker, ...args) {
        know(this);
        return native.apply(this, args);
      },
  );
  onWorker((worker) => {
    know(worker);
    threads += 1;
    worker.once('exit', () => {
      threads -= 1;
    });
  });
  /** The run sends something to a worker that is older, from a hook or the top of a file, or hears of it. */
  const mindElder = (port: object): void => {
    if (isMainThread && ofWorkers.has(port) && controller.active('MessagePort')) controller.doubt('Worker');
  };
  const isLocal = () => isMainThread && threads === 0 && !controller.doubts('Worker');

  function sourceOf(port: object): HeldSource {
    const known = sources.get(port);
    if (known?.root === controller.root) return known.source;
    const origin = originOf(controller, 'MessagePort');
    const source = new HeldSource(controller, 'MessagePort', births.nameOf(port), origin, capture());
    sources.set(port, { root: controller.root, source });
    return source;
  }

  /** The gate waits for it. */
  function soon(fn: () => void): void {
    const came = controller.expect();
    later(() => {
      fn();
      came();
    });
  }

  function ends(): PortEnds {
    if (ending.root !== controller.root) ending = { root: controller.root, ends: new PortEnds(soon) };
    return ending.ends;
  }

  /** The next message of a port that goes on listening. */
  function next(port: ListeningPort): (() => void) | null {
    if (!isLocal() || carriers.has(controller.root) || port.listenerCount('message') === 0) return null;
    const received = receiveMessageOnPort(port as never);
    return received ? () => void native.call(port, received.message, 'message', undefined) : null;
  }

  Object.defineProperty(prototype, DISPATCH, {
    configurable: true,
    writable: true,
    value(this: Record<symbol, unknown>, value: unknown, type: string, event: unknown): unknown {
      const dispatch = () => native.call(this, value, type, event);
      if (ofNode.has(this)) return dispatch();
      mindElder(this);
      // The end of a worker is not held, so what it says before must not be held either.
      if (controller.running || controller.doubts('Worker')) return dispatch();
      if (!controller.active('MessagePort')) {
        // Node makes a port that comes with a message before any code of the program runs: in no context.
        const isOfRun = births.knows(this) && controller.base(() => controller.active('MessagePort'));
        return isOfRun
          ? controller.base(() => Reflect.get(prototype, DISPATCH!).call(this, value, type, event))
          : dispatch();
      }
      const receiving = symbolOf(this, RECEIVING) as symbol;
      const ports = this[receiving] as readonly object[] | undefined;
      const tell = () => {
        this[receiving] = ports;
        for (const port of ports ?? []) births.note(port);
        try {
          dispatch();
        } finally {
          this[receiving] = undefined;
        }
      };
      const source = sourceOf(this);
      const how = { by: 'message', prompt: sent > 0, made: births.placeOf(this) } as const;
      if (type !== 'close') source.come(tell, { how, next: () => next(this as never) });
      else if (closed.has(this) && !controller.holdsCloses) tell();
      else if (closed.has(this)) ends().near(tell, (told) => source.come(told, { how: 'close' }));
      else ends().far(() => source.close(tell, { how }));
      return undefined;
    },
  });

  // A port that begins to listen gets what was sent before, and one that closes tells the other.
  const calls = { MessagePort: ['postMessage', 'start', 'ref', 'close'], BroadcastChannel: ['postMessage'] };
  for (const [name, methods] of Object.entries(calls))
    for (const method of methods) {
      const { prototype } = (globalThis as unknown as Record<string, { prototype: Record<string, Call> }>)[
        name
      ]!;
      const native = prototype[method]!;
      replaceMethod(prototype, method, function (this: object, ...args: unknown[]) {
        if (!ofNode.has(this) && controller.active('MessagePort')) {
          mindElder(this);
          if (method === 'postMessage' && args[1]) {
            carriers.add(controller.root);
            // Its handle goes with the message: what is left of it closes.
            for (const port of portsTransferred(args[1])) closed.add(port);
          }
          if (method === 'close') {
            closed.add(this);
            const source = sources.get(this)?.source;
            // What Node reads in one go it tells, although the port is closed meanwhile.
            if (!source?.isTelling) source?.forget();
          }
          awaitSent();
        }
        return native.apply(this, args);
      });
    }

  function awaitSent(): void {
    const came = controller.expect();
    sent += 1;
    afterRounds(ROUNDS, later, () => {
      sent -= 1;
      came();
    });
  }

  return { isLocal };
}
