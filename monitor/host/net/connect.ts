/** Clients: over loopback the kernel connects in the call; that both sides hear of it is gated. */
import { replaceMethod } from '../../replace.ts';
import { issueArrival, Once } from '../arrival.ts';
import { originOf } from '../naming.ts';
import { touch } from '../touch.ts';
import { takeAnswers } from './answers.ts';
import { type Handle, isLoopback, type Req, sendAtOnce } from './binding.ts';
import { End } from './end.ts';
import type { NetHost } from './net-host.ts';

export function wrapConnect(host: NetHost): void {
  const { tcp, pipe } = host.binding;
  wrap(tcp, 'connect');
  wrap(tcp, 'connect6');
  wrap(pipe, 'connect');

  function wrap(prototype: typeof tcp, name: string): void {
    const native = prototype[name]!;
    replaceMethod(prototype, name, function (this: Handle, req: Req, address: string, port?: number) {
      const args = port === undefined ? [req, address] : [req, address, port];
      const call = () => native.apply(this, args) as number;
      host.used.add(this);
      if (!host.controller.active('net')) return call();
      if (port !== undefined && !isLoopback(address)) {
        host.stranger(this);
        return call();
      }
      return connect(host, this, req, port ?? address, call);
    });
  }
}

function connect(host: NetHost, handle: Handle, req: Req, key: number | string, call: () => number): number {
  const { controller } = host;
  const context = host.capture();
  const what = host.nameOf(key);
  const answer = new Once<readonly unknown[]>();
  const { oncomplete } = req;
  req.oncomplete = (...values: unknown[]) => answer.come(values);
  const error = call();
  touch(controller, 'net.connect', what, [{ entity: what, write: false }]);
  if (error !== 0) {
    req.oncomplete = oncomplete;
    return error;
  }
  // Others may have put a function of theirs around ours in the call.
  const answers = takeAnswers(req, req.oncomplete, oncomplete);
  const end = new End(handle, what, context);
  end.opaque = host.opaques.get(handle) ?? null;
  host.ends.set(handle, end);
  sendAtOnce(handle, host.raw['setNoDelay']);
  const origin = originOf(controller, 'net.connect');
  const behind = isConnected(handle) ? host.dial(end, key) : null;
  const request = issueArrival(controller, {
    ...{ api: 'net.connect', what, origin, context, behind },
    how: { by: 'handle', local: behind !== null },
    happen: (done) => answer.await(done),
    deliver: () => {
      end.owed.delete(owe);
      const values = answer.value as readonly unknown[];
      if (values[0] === 0) {
        if (end.peer) host.connected(end);
        else host.stranger(handle);
      }
      answers.reply(values);
    },
  });
  const owe = {
    cancel: () => controller.cancel(request),
    answer: (code: number) => answers.reply([code, handle, req, false, false]),
    native: () => answer.await(() => answers.reply(answer.value as readonly unknown[])),
  };
  end.owed.add(owe);
  return 0;
}

/** The kernel connects within one machine in the call, or refuses: another server of that port, or family, is no peer. */
function isConnected(handle: Handle): boolean {
  return handle.getpeername === undefined || handle.getpeername({}) === 0;
}
