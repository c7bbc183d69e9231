/** Servers: binding and listening take effect in the call; the connections that come are gated. */
import { replaceMethod } from '../../replace.ts';
import { touch } from '../touch.ts';
import { type Handle, placeOf, portOf } from './binding.ts';
import { Listener } from './listener.ts';
import type { NetHost } from './net-host.ts';

export function wrapListen(host: NetHost): void {
  const { controller, binding } = host;
  const { tcp, pipe } = binding;
  /** What a handle was to be bound to. */
  const wanted = new WeakMap<Handle, number | string>();
  for (const name of ['bind', 'bind6', 'listen']) {
    const native = tcp[name]!;
    if (name === 'listen') wrap(tcp);
    else
      replaceMethod(tcp, name, function (this: Handle, address: unknown, port: number, ...rest: unknown[]) {
        wanted.set(this, port);
        return native.call(this, address, port, ...rest);
      });
  }
  const { bind } = pipe;
  replaceMethod(pipe, 'bind', function (this: Handle, path: string, ...rest: unknown[]) {
    wanted.set(this, placeOf(path));
    return bind!.call(this, path, ...rest);
  });
  wrap(pipe);

  function wrap(prototype: typeof tcp): void {
    const native = prototype['listen']!;
    replaceMethod(prototype, 'listen', function (this: Handle, ...args: unknown[]) {
      const { onconnection } = this;
      host.used.add(this);
      const error = native.apply(this, args) as number;
      if (typeof onconnection !== 'function') return error;
      const asked = wanted.get(this) ?? 0;
      const key = typeof asked === 'number' ? portOf(this) || asked : asked;
      if (!controller.active('net')) {
        if (error === 0) host.standing.set(this, { key, chosen: asked === 0 });
        return error;
      }
      if (asked === 0) host.chosen(key as number);
      const what = host.nameOf(key);
      touch(controller, 'net.listen', what, [
        { entity: what, write: false },
        ...(error === 0 ? [{ entity: what, write: true }] : []),
      ]);
      if (error !== 0) return error;
      host.listeners.set(this, new Listener(host, this, key, what, host.capture()));
      return 0;
    });
  }
}
