/**
 * Sockets, pipes and servers, wrapped at their handles: streams, HTTP, agents and the built-in fetch are Node's own
 * JavaScript above them. Two ends in this process are followed from end to end; a peer elsewhere is not gated.
 */
import { replaceMethod } from '../../replace.ts';
import type { Context } from '../context.ts';
import type { HostController } from '../controller.ts';
import { type Handle, netBinding } from './binding.ts';
import { wrapBodies } from './bodies.ts';
import { wrapClose } from './close.ts';
import { wrapConnect } from './connect.ts';
import { wrapListen } from './listen.ts';
import { wrapMessageTimes } from './message-times.ts';
import { NetHost } from './net-host.ts';
import { watchOpaque } from './opaque.ts';
import { watchPeers } from './peers.ts';
import { wrapWrites } from './write.ts';

/** Replaces the methods of all handles. `natively` runs a function outside of the run. */
export function wrapNet(
  controller: HostController,
  capture: () => Context,
  later: (fn: () => void) => void,
  natively: (fn: () => void) => void = (fn) => fn(),
): NetHost {
  const host = new NetHost(controller, netBinding(), capture, later);
  watchPeers(host.binding, {
    isOwn: (key) => host.isOwn(key),
    isInRun: () => controller.active(),
    refused: (peer) => controller.doubt(`a connection to ${peer}, which is not allowed`),
  });
  wrapListen(host);
  wrapConnect(host);
  wrapReading(host);
  wrapWrites(host);
  wrapClose(host);
  watchOpaque(host, natively);
  host.awaitsMessages = wrapMessageTimes(controller, natively);
  wrapBodies(host);
  return host;
}

/** Reading is switched on and off as natively; bytes are read in the turn that delivers them. */
function wrapReading(host: NetHost): void {
  const { stream } = host.binding;
  const { readStart, readStop } = stream;
  replaceMethod(stream, 'readStart', function (this: Handle) {
    const end = host.using(this);
    host.used.add(this);
    if (!end) {
      host.olderThanRun(this, 'standard input');
      host.read.add(this);
      return readStart!.call(this);
    }
    end.reading = true;
    if (end.outside) end.outside.start();
    else host.wake(end);
    return 0;
  });
  replaceMethod(stream, 'readStop', function (this: Handle) {
    const end = host.using(this);
    host.read.delete(this);
    if (!end) return readStop!.call(this);
    end.reading = false;
    end.outside?.stop();
    if (end.read) {
      host.controller.cancel(end.read);
      end.news ??= end.read;
      end.read = null;
    }
    return 0;
  });
}
