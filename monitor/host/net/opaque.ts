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
import type { Call, Handle } from './binding.ts';
import type { NetHost } from './net-host.ts';
import { WRITES } from './write.ts';

const MAKERS = ['connect', 'createServer', 'createSecureServer', 'performServerHandshake'];

export function watchOpaque(host: NetHost, natively: (fn: () => void) => void): void {
  const { controller } = host;
  const tls = bindingOf('tls_wrap');
  const below = new WeakMap<object, Handle>();
  wrapMethod(
    tls,
    'wrap',
    (native) =>
      function (this: unknown, ...args) {
        if (controller.active()) controller.doubt('TLS');
        host.opaque(args[0] as Handle, 'TLS');
        const made = native.apply(this, args) as object;
        below.set(made, args[0] as Handle);
        return made;
      },
  );
  watchOlder([...WRITES, 'readStart', 'shutdown'], tls.TLSWrap.prototype, below, 'TLS', host);

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
    const prototype = Object.getPrototypeOf(handle);
    const below = new WeakMap<object, Handle>();
    wrapMethod(
      prototype,
      'consume',
      (native) =>
        function (this: object, ...args) {
          host.opaque(args[0] as Handle, 'HTTP/2');
          below.set(this, args[0] as Handle);
          return native.apply(this, args);
        },
    );
    watchOlder(['request', 'ping'], prototype, below, 'HTTP/2', host);
  }
}

/**
 * What is asked for over a connection that is older than the run is waited for. `below`: the handle of the connection, which
 * only Node's own code uses.
 */
function watchOlder(
  methods: readonly string[],
  prototype: Record<string, Call>,
  below: WeakMap<object, Handle>,
  what: string,
  host: NetHost,
): void {
  for (const name of methods)
    wrapMethod(
      prototype,
      name,
      (native) =>
        function (this: object, ...args) {
          const handle = below.get(this);
          // A stream of the program's own stands upon something that is seen.
          if (handle?.getpeername && !host.endOf(handle)) host.olderThanRun(handle, null, what);
          return native.apply(this, args);
        },
    );
}

function nowhere(): Duplex {
  const { Duplex } = process.getBuiltinModule('node:stream');
  return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
}
