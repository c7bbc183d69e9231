/**
 * Ports that the program makes and hands from thread to thread: what is sent and what is handed out are steps, and
 * order those of the two threads, however it is received: as an event, or asked for.
 */
import workerThreads, { type MessagePort, parentPort } from 'node:worker_threads';
import { replaceMethod } from '../../monitor/replace.ts';
import { Broadcasts } from './broadcasts.ts';
import { toParent, toWorker } from './lines.ts';
import type { Part } from './part.ts';

type Methods = Record<PropertyKey, (...args: any[]) => unknown>;

/** How Node hands a message to the listeners of a port. */
const DISPATCH = Object.getOwnPropertySymbols(EventTarget.prototype).find((symbol) =>
  symbol.description?.endsWith('kHybridDispatch'),
);

/** The port by which a broadcast channel sends and receives; null: it is none. */
function insideOf(channel: object): object | null {
  const handle = Object.getOwnPropertySymbols(channel).find(({ description }) => description === 'kHandle');
  const port = handle && (channel as Record<symbol, unknown>)[handle];
  return port instanceof globalThis.MessagePort ? port : null;
}

/** Takes effect with the next `syncBuiltinESMExports`. */
export function wrapPorts(part: Part): void {
  const { lines, notes, self } = part;
  const broadcasts = new Broadcasts(part, lines);
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
      return broadcasts.open(String(args[0]), make, insideOf);
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

  const prototype = globalThis.MessagePort.prototype as unknown as Methods;
  const { postMessage } = prototype;
  replaceMethod(prototype, 'postMessage', function (this: MessagePort, ...args: unknown[]) {
    const post = (): unknown => Reflect.apply(postMessage!, this, args);
    if (broadcasts.has(this)) return broadcasts.send(this, args[0], post);
    // Node itself posts on ports, too, and looks at what that returns.
    return lineOf(this) < 0 ? post() : lines.send(across(this), args[0], post);
  });
  if (!DISPATCH) notes.tell({ unseen: 'messages to ports' });
  else {
    const dispatch = prototype[DISPATCH]!;
    replaceMethod(prototype, DISPATCH, function (this: MessagePort, ...args: unknown[]) {
      const [value, type] = args;
      if (type === 'message' && broadcasts.has(this)) broadcasts.receive(this, value);
      else if (type === 'message' && lineOf(this) >= 0) lines.receive(lineOf(this), value);
      return Reflect.apply(dispatch, this, args);
    });
  }
  workerThreads.receiveMessageOnPort = (port) => {
    const found = receiveMessageOnPort(port);
    const inner = insideOf(port);
    if (found && inner && broadcasts.has(inner)) broadcasts.receive(inner, found.message);
    else if (found && lineOf(port) >= 0) lines.receive(lineOf(port), found.message);
    return found;
  };
}
