/**
 * Sockets that C++ code of Node's reads and writes by itself, for TLS and HTTP/2: what goes over them cannot be seen, so
 * their connection is Node's own from the moment at which both ends know of it.
 */

import type http2 from 'node:http2';
import type { Duplex } from 'node:stream';
import { wrapMethod } from '../../replace.ts';
import { valueUnder } from '../../symbols.ts';
import { bindingOf } from '../bindings.ts';
import { whenLoaded } from '../builtins.ts';
import type { Handle } from './binding.ts';
import type { NetHost } from './net-host.ts';

const MAKERS = ['connect', 'createServer', 'createSecureServer', 'performServerHandshake'];

export function watchOpaque(host: NetHost, natively: (fn: () => void) => void): void {
  const { controller } = host;
  const tls = bindingOf('tls_wrap');
  wrapMethod(
    tls,
    'wrap',
    (native) =>
      function (this: unknown, ...args) {
        if (controller.active()) controller.doubt('TLS');
        host.opaque(args[0] as Handle, 'TLS');
        return native.apply(this, args);
      },
  );

  whenLoaded<typeof http2>('http2', (module) => watchHttp2(module, host, natively));
}

/** Its module takes longer to load than a run, and few programs use it. */
function watchHttp2(module: typeof http2, host: NetHost, natively: (fn: () => void) => void): void {
  const { controller } = host;
  const { performServerHandshake } = module;
  let isWatched = false;
  for (const name of MAKERS)
    wrapMethod(
      module,
      name,
      (native) =>
        function (this: unknown, ...args) {
          if (controller.active()) controller.doubt('HTTP/2');
          if (!isWatched) {
            isWatched = true;
            natively(watchSessions);
          }
          return native.apply(this, args);
        },
    );

  /** What a session takes over its socket with lives on the prototype of its handle. */
  function watchSessions(): void {
    const session = performServerHandshake(nowhere());
    const handle = valueUnder(session, 'kHandle') as object | undefined;
    session.destroy();
    if (!handle) throw new Error(`Node ${process.version} keeps the handles of HTTP/2 sessions elsewhere`);
    wrapMethod(
      Object.getPrototypeOf(handle),
      'consume',
      (native) =>
        function (this: unknown, ...args) {
          host.opaque(args[0] as Handle, 'HTTP/2');
          return native.apply(this, args);
        },
    );
  }
}

function nowhere(): Duplex {
  const { Duplex } = process.getBuiltinModule('node:stream');
  return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
}
