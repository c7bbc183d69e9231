/**
 * Connections that are older than the run: hooks of a test made them. Where both ends lie in this process they take part in
 * the run from their first use in it on, as if it had made them; so does what is on the way between them by then.
 */
import type { Handle } from './binding.ts';
import { End } from './end.ts';
import type { Ends } from './ends.ts';
import { isUnaccepted } from './peers.ts';

/** Node's socket around a handle, as far as it is asked here. */
interface OwnerSocket {
  readonly _handle?: Handle & CountedHandle;
  readonly connecting: boolean;
  readonly readable: boolean;
  readonly writable: boolean;
  /** Of HTTP; that of a server reads from the handle by itself. */
  readonly parser?: { _consumed?: boolean; unconsume(): void } | null;
}

/** A handle counts its bytes from its beginning on. */
interface CountedHandle {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** What is needed of the one who knows all ends of the run. */
export interface EndsAndOthers extends Ends {
  /** It is of no run, and can be followed as far as is known. */
  isFree(handle: Handle): boolean;
  /** An end of the run from here on, on a handle that Node had. */
  take(handle: Handle, end: End): void;
  /** A server of this thread listens on a port. */
  isOwn(key: number): boolean;
  /** A client has connected: its server hears of it in the run. */
  dial(client: End, key: number): unknown;
  /** What a connection is called that is older than the run, by its two ports. */
  nameOfOlder(ports: readonly number[]): string;
}

/** The end behind a handle that the run has not made, from here on; undefined: its peer cannot be followed. */
export function adoptOlder(host: EndsAndOthers, handle: Handle): End | undefined {
  const ports = portsOf(handle);
  if (!ports) return undefined;
  const sockets = ownersOf(host);
  const own = sockets.find(({ _handle }) => _handle === handle);
  const other = sockets.find(({ _handle }) => isPeer(ports, portsOf(_handle!)));
  if (own && !other) return adoptUnaccepted(host, own, ports);
  if (!own || !other || !canGoOn(own) || !canGoOn(other)) return undefined;
  const what = host.nameOfOlder([ports.local, ports.remote]);
  const ends = [own, other].map((socket) => adopt(host, socket, what));
  [ends[0]!.peer, ends[1]!.peer] = [ends[1]!, ends[0]!];
  for (const end of ends) host.wake(end);
  return ends[0];
}

/** A client whose server, which is of this process, has not heard of it so far: that is as if it connected in the run. */
function adoptUnaccepted(
  host: EndsAndOthers,
  own: OwnerSocket,
  { local, remote }: PortPair,
): End | undefined {
  if (!canGoOn(own) || !host.isOwn(remote) || !isUnaccepted(remote, local)) return undefined;
  const end = adopt(host, own, host.nameOfOlder([remote]));
  host.dial(end, remote);
  return end;
}

/** Sockets that nobody has closed and that may keep the process alive. */
function ownersOf(host: EndsAndOthers): OwnerSocket[] {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles(): OwnerSocket[] };
  return _getActiveHandles
    .call(process)
    .filter(({ _handle }) => _handle && Object.getPrototypeOf(_handle) === host.binding.tcp)
    .filter(({ _handle }) => host.isFree(_handle!));
}

/** The kernel has taken all that was written to it, and will take more. */
const canGoOn = ({ connecting, readable, writable, _handle }: OwnerSocket): boolean =>
  !connecting && readable && writable && _handle!.writeQueueSize === 0;

function adopt(host: EndsAndOthers, { parser, _handle }: OwnerSocket, what: string): End {
  const handle = _handle!;
  // From here on it gets what JavaScript reads, as where somebody else listens to the socket.
  if (parser?._consumed) {
    parser.unconsume();
    parser._consumed = false;
  }
  const end = new End(handle, what, host.controller.base);
  end.known = true;
  end.sent = handle.bytesWritten;
  end.got = handle.bytesRead;
  host.take(handle, end);
  return end;
}

interface PortPair {
  readonly local: number;
  readonly remote: number;
}

function portsOf(handle: Handle): PortPair | null {
  const [local, remote] = [{}, {}] as { port?: number }[];
  if (handle.getsockname?.(local!) !== 0 || handle.getpeername?.(remote!) !== 0) return null;
  return { local: local!.port ?? 0, remote: remote!.port ?? 0 };
}

const isPeer = ({ local, remote }: PortPair, other: PortPair | null): boolean =>
  other?.local === remote && other.remote === local;
