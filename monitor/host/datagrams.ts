/**
 * Datagrams between sockets of this process. The kernel has them at once; like all that goes over a network they are
 * handed out when their turn has come, those of one socket in the order in which they were sent. Where one goes is
 * known from its address; what comes from elsewhere is not held, and makes a failure doubtful.
 */

import { replaceMethod } from '../replace.ts';
import { bindingOf } from './bindings.ts';
import { ChosenPorts } from './chosen-ports.ts';
import type { Context } from './context.ts';
import type { HostDoubts, HostLiveness, HostRequests } from './controller.ts';
import { type Content, type DatagramHandle, Inbox } from './inbox.ts';
import { originOf } from './naming.ts';
import { type Call, descriptorOf, isLoopback, portOf } from './net/binding.ts';
import { touch } from './touch.ts';

const ELSEWHERE = 'dgram.Socket to another process';

export interface Datagrams {
  /** A socket is open that keeps the process alive. */
  holds(): boolean;
  /** Descriptors of sockets on ports that the kernel chose: whoever was not told of one does not send to it. */
  unknown(): number[];
  /** The run is over: what waits is handed out natively. */
  drop(): void;
}

/** `later` calls in another round of the loop, as if the run were not there. */
export function wrapDatagrams(
  controller: HostRequests & HostLiveness & HostDoubts,
  capture: () => Context,
  later: (fn: () => void) => void,
): Datagrams {
  const { UDP } = bindingOf('udp_wrap');
  const prototype = UDP.prototype as Record<string, Call>;
  const inboxes = new Map<DatagramHandle, Inbox>();
  /** Sockets that sent something to elsewhere, which may answer as long as they are open. */
  const strangers = new Map<DatagramHandle, () => void>();
  const chosen = new ChosenPorts();
  const nameOf = (port: number): string => `UDP ${chosen.nameOf(port)}`;

  for (const name of ['bind', 'bind6']) {
    const native = prototype[name]!;
    replaceMethod(
      prototype,
      name,
      function (this: DatagramHandle, address: string, port: number, ...rest: unknown[]) {
        const error = native.call(this, address, port, ...rest) as number;
        if (!controller.active('dgram.message')) return error;
        const bound = portOf(this) || port;
        if (port === 0 && error === 0) chosen.add(bound);
        const entity = nameOf(bound);
        touch(controller, 'dgram.bind', entity, [
          { entity, write: false },
          ...(error === 0 ? [{ entity, write: true }] : []),
        ]);
        return error;
      },
    );
  }

  const { recvStart, recvStop } = prototype as { recvStart: Call; recvStop: Call };
  replaceMethod(prototype, 'recvStart', function (this: DatagramHandle) {
    if (!inboxes.has(this))
      inboxes.set(this, new Inbox(controller, this, capture, later, () => controller.doubt(ELSEWHERE)));
    return recvStart.call(this);
  });
  // Node receives as long as a socket is open.
  replaceMethod(prototype, 'recvStop', function (this: DatagramHandle) {
    inboxes.get(this)?.close();
    inboxes.delete(this);
    strangers.get(this)?.();
    strangers.delete(this);
    return recvStop.call(this);
  });

  for (const name of ['send', 'send6']) {
    const native = prototype[name]!;
    replaceMethod(prototype, name, function (this: DatagramHandle, ...args: unknown[]) {
      if (!controller.active('dgram.message')) return native.apply(this, args);
      const origin = originOf(controller, 'dgram.message');
      const sent = native.apply(this, args) as number;
      // The kernel's buffers are full: Node sends it, and tells so, when it can.
      if (sent === 0) controller.doubt('datagrams that wait to be sent');
      if (sent > 0) {
        const { address, port } = destination(this, args);
        const inbox = receiver(address, port);
        const foresee = () => foreseen(this, address, args[1] as readonly Uint8Array[]);
        if (inbox) inbox.send({ origin, what: nameOf(port), from: portOf(this), foresee });
        else if (!strangers.has(this)) strangers.set(this, controller.begin(ELSEWHERE));
      }
      return sent;
    });
  }

  /** The socket of this process that gets what is sent to an address. */
  function receiver(address: string, port: number): Inbox | undefined {
    if (!isLoopback(address)) return undefined;
    const [only, ...others] = [...inboxes.values()].filter((inbox) => inbox.port === port);
    // Several sockets share a port: the kernel chooses among them.
    return others.length === 0 ? only : undefined;
  }

  return {
    holds() {
      for (const handle of inboxes.keys()) if (handle.hasRef()) return true;
      return false;
    },
    unknown: () => [...inboxes.keys()].filter((handle) => chosen.has(portOf(handle))).map(descriptorOf),
    drop() {
      for (const inbox of inboxes.values()) inbox.drop();
      chosen.clear();
    },
  };
}

/** Where a call of `send` goes: Node gives port and address unless the socket is connected. */
function destination(
  handle: DatagramHandle,
  [, , , port, address]: readonly unknown[],
): { readonly address: string; readonly port: number } {
  if (typeof port === 'number') return { address: String(address), port };
  const out = {};
  handle.getpeername(out);
  return { port: 0, address: '', ...out };
}

/** Null where it is not known what the kernel calls the sender. */
function foreseen(sender: DatagramHandle, to: string, list: readonly Uint8Array[]): Content | null {
  const name = { port: 0, address: '', family: '' };
  sender.getsockname(name);
  const { port, address, family } = name;
  const isWildcard = address === '0.0.0.0' || address === '::';
  if (isWildcard && to !== '127.0.0.1' && to !== '::1') return null;
  return { bytes: Buffer.concat(list), from: { address: isWildcard ? to : address, family, port } };
}
