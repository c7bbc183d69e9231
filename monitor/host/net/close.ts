/** Closing takes effect in the call; the callbacks come in the closing phase of the loop. */
import { replaceMethod } from '../../replace.ts';
import { issueArrival, Once } from '../arrival.ts';
import { originOf } from '../naming.ts';
import { touch } from '../touch.ts';
import type { Call, Handle } from './binding.ts';
import type { NetHost } from './net-host.ts';

/** libuv's code for a request whose handle was closed. */
const ECANCELED = -125;

export function wrapClose(host: NetHost): void {
  const { handle: handles, tcp } = host.binding;
  wrap(handles, 'close');
  wrap(tcp, 'reset');

  function wrap(prototype: typeof tcp, name: string): void {
    const native = prototype[name]!;
    replaceMethod(prototype, name, function (this: Handle, callback?: unknown, ...rest: unknown[]) {
      const call = (ended: unknown) => native.call(this, ended, ...rest);
      host.standing.delete(this);
      const listener = host.listeners.get(this);
      if (listener) {
        host.listeners.delete(this);
        const write = { entity: listener.what, write: true };
        if (host.controller.active()) touch(host.controller, 'net.close', listener.what, [write]);
        const result = gate(host, this, callback, listener.what, call);
        listener.close();
        return result;
      }
      const end = host.using(this);
      return end ? gate(host, this, callback, end.what, call) : call(callback);
    });
  }
}

function gate(
  host: NetHost,
  handle: Handle,
  callback: unknown,
  what: string,
  call: (ended: () => void) => unknown,
): unknown {
  const { controller } = host;
  const context = host.capture();
  const origin = originOf(controller, 'net.close');
  const news = originOf(controller, 'net.read');
  const end = host.endOf(handle);
  const ended = new Once<true>();
  const result = call(() => {
    host.closing.delete(handle);
    ended.come(true);
  });
  if (typeof result === 'number' && result !== 0) return result;
  host.closing.add(handle);
  if (end) {
    host.ends.delete(handle);
    end.closed = true;
    end.finished = true;
    if (end.read) controller.cancel(end.read);
    end.outside?.stop();
    for (const owed of end.owed) owed.cancel();
    host.tell(end.peer, news);
  }
  if (typeof callback !== 'function' && !end?.owed.size) return result;
  const deliver = () => {
    host.untold.delete(natively);
    for (const owed of end?.owed ?? []) owed.answer(ECANCELED);
    if (typeof callback === 'function') (callback as Call).call(handle);
  };
  const natively = () => ended.await(() => host.later(() => context(deliver)));
  host.untold.add(natively);
  issueArrival(controller, {
    ...{ how: 'close', api: 'net.close', what, origin, context },
    happen: (done) => ended.await(done),
    deliver,
  });
  return result;
}
