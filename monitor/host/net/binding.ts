/** The handles of sockets and pipes: the objects that Node's own JavaScript calls. */
import { resolve } from 'node:path';
import { bindingOf } from '../bindings.ts';

export type Call = (this: any, ...args: any[]) => any;
/** Where the program brings its own buffer, it answers with the one for the next read. */
type OnRead = (this: unknown, buffer: ArrayBuffer | undefined) => unknown;

/** A socket, a pipe or a server of either. */
export interface Handle {
  onread: OnRead;
  onconnection?: Call;
  /** Node's HTTP parser would read straight from the handle, unless somebody else does. */
  _consumed?: boolean;
  getsockname?(out: NativeAddress): number;
  getpeername?(out: NativeAddress): number;
  hasRef(): boolean;
}

interface NativeAddress {
  address?: string;
  port?: number;
}

/** A connect, shutdown or write request. */
export interface Req {
  oncomplete: Call;
}

/** Prototypes on which the methods live: of TCP sockets, of pipes, of all streams, of all handles. */
export interface NetBinding {
  readonly tcp: Record<string, Call>;
  readonly pipe: Record<string, Call>;
  readonly stream: Record<string, Call>;
  readonly handle: Record<string, Call>;
  /** How many bytes a handle has read: a getter of streams. */
  readonly bytesRead: (this: Handle) => number;
  /** How the latest read or write went, at the places below. */
  readonly state: Int32Array;
  readonly kReadBytesOrError: number;
  readonly kArrayBufferOffset: number;
  readonly kBytesWritten: number;
  readonly kLastWriteWasAsync: number;
  /** Where a write that made its own request says that it failed; -1 on a Node whose writes return it. */
  readonly kLastWriteErr: number;
}

/** The live binding. Throws where a Node took it away, so that the caller can say so. */
export function netBinding(): NetBinding {
  const tcp = bindingOf('tcp_wrap').TCP?.prototype;
  const pipe = bindingOf('pipe_wrap').Pipe?.prototype;
  const wrap = bindingOf('stream_wrap');
  const stream = ownerOf(tcp, 'readStart');
  const handle = ownerOf(tcp, 'close');
  const bytesRead = stream && Object.getOwnPropertyDescriptor(stream, 'bytesRead')?.get;
  if (!stream || !handle || !pipe || !bytesRead || !wrap.streamBaseState)
    throw new Error(`Node ${process.version} gives no access to its socket bindings`);
  const { streamBaseState: state, kReadBytesOrError, kArrayBufferOffset, kBytesWritten } = wrap;
  const { kLastWriteWasAsync, kLastWriteErr = -1 } = wrap;
  return {
    ...{ tcp, pipe, stream, handle, bytesRead, state },
    ...{ kReadBytesOrError, kArrayBufferOffset, kBytesWritten, kLastWriteWasAsync, kLastWriteErr },
  };
}

function ownerOf(object: any, method: string): any {
  let at = object;
  while (at && !Object.hasOwn(at, method)) at = Object.getPrototypeOf(at);
  return at;
}

/**
 * Nagle's algorithm keeps small writes back for as long as the other end takes to acknowledge what came before, which
 * depends on real time: what a read brings must not. `setNoDelay`: Node's own, as the program may have one to count calls.
 */
export function sendAtOnce(handle: Handle, setNoDelay: Call | undefined): void {
  if (handle.getpeername) setNoDelay?.call(handle, true);
}

const LOOPBACK = /^(?:127\.|0\.0\.0\.0$|::1$|::$|::ffff:127\.)/;

/** What is sent to this address stays on this machine. */
export const isLoopback = (address: string): boolean => LOOPBACK.test(address);

/** The port that a socket is bound to; 0 where it has none. */
export function portOf(handle: Pick<Handle, 'getsockname'>): number {
  const out: { port?: number } = {};
  return handle.getsockname?.(out) === 0 ? (out.port ?? 0) : 0;
}

/** Node has it for every handle of a system that has descriptors. */
export const descriptorOf = (handle: object): number => (handle as { readonly fd?: number }).fd ?? -1;

/** A port; or the path of a pipe in full, as there are many names for it. Linux has others that are no paths. */
export const placeOf = <Key extends number | string>(key: Key): Key | string =>
  typeof key === 'string' && !key.startsWith('\0') ? resolve(key) : key;

const ALL_OF_IPV4 = '0.0.0.0';
const ALL = '::';

/**
 * Of the servers at one port or path, that to which the kernel gives this client: one that is bound to its very address, else to
 * all of its family, else to all.
 */
export function serverOf(client: Handle, servers: readonly Handle[]): Handle | undefined {
  if (servers.length < 2) return servers[0];
  const peer: NativeAddress = {};
  client.getpeername?.(peer);
  const { address = '' } = peer;
  const names = address.includes(':') ? [address, ALL] : [address, ALL_OF_IPV4, `::ffff:${address}`, ALL];
  const bound = servers.map((server) => {
    const own: NativeAddress = {};
    server.getsockname?.(own);
    return own.address ?? '';
  });
  for (const name of names) {
    const at = bound.indexOf(name);
    if (at >= 0) return servers[at];
  }
  return servers[0];
}
