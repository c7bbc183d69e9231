/**
 * Ports that the program makes and hands from thread to thread: what is sent and what is handed out are steps, and
 * order those of the two threads, however it is received: as an event, or asked for.
 */

import workerThreads, { type MessagePort, parentPort } from 'node:worker_threads';
import { replaceMethod } from '../../monitor/replace.ts';
import type { Dispatch } from '../../monitor/symbols.ts';
import { DISPATCH, RECEIVING, symbolOf, valueUnder } from '../../monitor/symbols.ts';
import { Broadcasts } from './broadcasts.ts';
import { toParent, toWorker } from './lines.ts';
import type { ThreadContext } from './part.ts';

type Methods = Record<PropertyKey, (...args: any[]) => unknown>;

/** The ports that come with the message that Node hands to a port. */
export function portsComing(port: object): unknown {
  const receiving = symbolOf(port, RECEIVING);
  return receiving && Reflect.get(port, receiving);
}

/** The port by which a broadcast channel sends and receives; null: it is none. */
function insideOf(channel: object): object | null {
  const port = valueUnder(channel, 'kHandle');
  return port instanceof globalThis.MessagePort ? port : null;
}

/** How Node hands something to a port. */

/** Who hands messages to the program. */
export interface Counter {
  /** Messages are Node's own: none is a step. */
  isOff(): boolean;
  /** Something has come to a port; `dispatch` hands it out. */
  came(
    port: object,
    value: unknown,
    type: string,
    event: unknown,
    dispatch: Dispatch,
    seen: SeenCallback,
  ): unknown;
  /** The program asks for the next message; `ask` asks Node. */
  asked(
    port: object,
    ask: () => { message: unknown } | undefined,
    seen: SeenCallback,
  ): { message: unknown } | undefined;
  /** A broadcast channel is open; `port` is inside of it. */
  opened(port: object, broadcasts: Broadcasts): void;
}

/** What happens before a message is handed out; null: it is none of the program. */
type SeenCallback = ((value: unknown) => void) | null;

/** Each when it comes. */
export const atOnce: Counter = {
  isOff: () => false,
  came(port, value, type, event, dispatch, seen) {
    if (type === 'message') seen?.(value);
    return dispatch.call(port, value, type, event);
  },
  asked(_port, ask, seen) {
    const found = ask();
    if (found) seen?.(found.message);
    return found;
  },
  opened() {},
};

/** Takes effect with the next `syncBuiltinESMExports`. */
export function wrapPorts(part: ThreadContext, counterOf: (dispatch: Dispatch) => Counter): void {
  const { lines, notes, self } = part;
  const broadcasts = new Broadcasts(part, lines);
  const prototype = globalThis.MessagePort.prototype as unknown as Methods;
  const dispatch = (DISPATCH ? prototype[DISPATCH] : undefined) as Dispatch;
  const counter = counterOf(dispatch);
  /** The line that arrives at a port: one of the program, or the one from the parent. */
  const lineOf = (port: object): number => (port === parentPort ? toWorker(self) : lines.of(port));
  const across = (port: object): number => (port === parentPort ? toParent(self) : lines.across(port));

  const { MessageChannel: Native, receiveMessageOnPort } = workerThreads;
  const MessageChannel: typeof Native = new Proxy(Native, {
    construct(target, args, called) {
      const own = called === MessageChannel ? target : called;
      const channel = Reflect.construct(target, args, own) as InstanceType<typeof Native>;
      lines.made(channel.port1, channel.port2);
      return channel;
    },
  });
  for (const holder of [globalThis, workerThreads])
    Object.defineProperty(holder, 'MessageChannel', {
      value: MessageChannel,
      ...{ writable: true, configurable: true, enumerable: holder === workerThreads },
    });

  const { BroadcastChannel: NativeBroadcast } = workerThreads;
  const BroadcastChannel: typeof NativeBroadcast = new Proxy(NativeBroadcast, {
    construct(target, args, called) {
      const own = called === BroadcastChannel ? target : called;
      // Node's own complaint.
      if (args.length === 0 || typeof args[0] === 'symbol') return Reflect.construct(target, args, own);
      const make = () => Reflect.construct(target, args, own) as InstanceType<typeof NativeBroadcast>;
      const channel = broadcasts.open(String(args[0]), make, insideOf);
      const port = insideOf(channel);
      if (port) counter.opened(port, broadcasts);
      return channel;
    },
  });
  for (const holder of [globalThis, workerThreads])
    Object.defineProperty(holder, 'BroadcastChannel', {
      value: BroadcastChannel,
      ...{ writable: true, configurable: true, enumerable: holder === workerThreads },
    });
  const closing = NativeBroadcast.prototype as unknown as Methods;
  const { close } = closing;
  replaceMethod(closing, 'close', function (this: object) {
    const port = insideOf(this);
    if (port) broadcasts.closed(port);
    return Reflect.apply(close!, this, []);
  });

  const { postMessage } = prototype;
  replaceMethod(prototype, 'postMessage', function (this: MessagePort, ...args: unknown[]) {
    const post = (): unknown => Reflect.apply(postMessage!, this, args);
    if (counter.isOff()) return post();
    if (broadcasts.has(this)) return broadcasts.send(this, args[0], post);
    // Node itself posts on ports, too, and looks at what that returns.
    return lineOf(this) < 0 ? post() : lines.send(across(this), args[0], args[1], post);
  });
  const seenAt = (port: object): SeenCallback => {
    if (broadcasts.has(port)) return (value) => broadcasts.receive(port, value);
    return lineOf(port) < 0 ? null : (value) => lines.receive(lineOf(port), value, portsComing(port));
  };
  if (!DISPATCH) notes.tell({ unseen: 'messages to ports' });
  else
    replaceMethod(prototype, DISPATCH, function (this: object, value: unknown, type: string, event: unknown) {
      return counter.came(this, value, type, event, dispatch, seenAt(this));
    });
  workerThreads.receiveMessageOnPort = (port) => {
    const inner = insideOf(port) ?? port;
    return counter.asked(inner, () => receiveMessageOnPort(port), seenAt(inner));
  };
}
