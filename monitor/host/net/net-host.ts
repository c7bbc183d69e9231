/** What every part of the wrapped sockets works with. */
import { issueArrival, Once } from '../arrival.ts';
import { ChosenPorts } from '../chosen-ports.ts';
import type { Context } from '../context.ts';
import type { HostDoubts, HostLiveness, HostRequests } from '../controller.ts';
import type { Elapsed } from '../elapsed.ts';
import { displayPath } from '../fs-paths.ts';
import { originOf, type RequestOrigin } from '../naming.ts';
import type { Inside } from '../outsiders.ts';
import type { HostRequest } from '../request.ts';
import {
  type Call,
  descriptorOf,
  type Handle,
  type NetBinding,
  placeOf,
  portOf,
  sendAtOnce,
  serverOf,
} from './binding.ts';
import { End } from './end.ts';
import type { Ends } from './ends.ts';
import { Listener } from './listener.ts';
import { adoptOlder, type EndsAndOthers } from './older.ts';
import { Outside } from './outside.ts';
import { watchedDescriptors } from './watched.ts';
import { type ReadThen, readWhole } from './whole-reads.ts';

export class NetHost implements EndsAndOthers {
  readonly controller: HostRequests & HostLiveness & HostDoubts;
  readonly binding: NetBinding;
  readonly capture: () => Context;
  readonly later: (fn: () => void) => void;
  readonly raw: Ends['raw'];
  ends = new Map<Handle, End>();
  /** Servers of this run. */
  listeners = new Map<Handle, Listener>();
  /** Servers that listened before the run: port or path, and whether the kernel chose it. */
  readonly standing = new Map<Handle, { readonly key: number | string; readonly chosen: boolean }>();
  /** Closed handles of the run whose end Node has not told yet. */
  readonly closing = new Set<Handle>();
  /** Ends that the program has not been told: each tells one as Node would. */
  readonly untold = new Set<() => void>();
  /** Handles that Node's own code reads and writes, and what is spoken over them: see opaque.ts. */
  readonly opaques = new WeakMap<Handle, string>();
  /** Handles that were connected, read, written or listened to, or that are older than us. */
  readonly used = new WeakSet<Handle>();
  /** Handles that Node reads by itself: libuv waits for what comes. */
  readonly read = new WeakSet<Handle>();
  private readonly strangers = new WeakSet<Handle>();
  /** Those that this run has used, and that are not closed. */
  private readonly openStrangers = new Set<Handle>();
  /** Those of them that nobody waits for, as long as nothing happens. */
  private resting: ReadonlySet<Handle> = new Set();
  /** A request to a server is not complete, and its time will be up. */
  awaitsMessages = (): boolean => false;
  private readonly chosenPorts = new ChosenPorts();

  constructor(
    controller: HostRequests & HostLiveness & HostDoubts,
    binding: NetBinding,
    capture: () => Context,
    later: (fn: () => void) => void,
  ) {
    this.controller = controller;
    this.binding = binding;
    this.capture = capture;
    this.later = later;
    this.raw = { ...methods(binding.handle), ...methods(binding.stream), ...methods(binding.tcp) };
    // Those of the process itself belong to no run. The standard streams are made on first use.
    void process.stdout;
    void process.stderr;
    for (const handle of this.pipes()) this.used.add(handle);
  }

  /** The end behind a handle of this run. */
  endOf(handle: Handle): End | undefined {
    return this.ends.get(handle);
  }

  /** The end behind a handle that is used; one of a connection that is older than the run takes part from here on, if it can. */
  using(handle: Handle): End | undefined {
    const end = this.ends.get(handle);
    if (end || !this.controller.active() || !this.isFree(handle)) return end;
    return adoptOlder(this, handle);
  }

  isFree(handle: Handle): boolean {
    return !this.ends.has(handle) && !this.strangers.has(handle) && !this.opaques.has(handle);
  }

  take(handle: Handle, end: End): void {
    this.ends.set(handle, end);
    this.used.add(handle);
    sendAtOnce(handle, this.raw['setNoDelay']);
    if (!this.read.has(handle)) return;
    this.read.delete(handle);
    this.raw['readStop']!.call(handle);
    end.reading = true;
  }

  nameOfOlder(ports: readonly number[]): string {
    for (const port of ports)
      for (const handle of this.serversAt(port)) {
        if (this.standing.get(handle)?.chosen) this.chosen(port);
        return this.nameOf(port);
      }
    return 'a connection opened before the run';
  }

  /** A port that the kernel chose differs from run to run: it is named by its ordinal. */
  chosen(port: number): void {
    this.chosenPorts.add(port);
  }

  /** What a port or the path of a pipe is called. */
  nameOf(key: number | string): string {
    if (typeof key === 'string') return `pipe ${displayPath(key)}`;
    return this.chosenPorts.nameOf(key);
  }

  /** A client has connected: if the server is of this run, both ends are known. See {@link Listener.dial}. */
  dial(client: End, key: number | string): HostRequest | null {
    const handle = client.handle && serverOf(client.handle, this.serversAt(key));
    const listener = handle && (this.listeners.get(handle) ?? this.adopt(handle));
    const from = client.handle ? portOf(client.handle) : 0;
    return listener?.dial(client, from, originOf(this.controller, 'net.accept')) ?? null;
  }

  /** A server of this thread listens on a port, or at the path of a pipe. */
  isOwn(key: number | string): boolean {
    return this.serversAt(key).length > 0;
  }

  /** Those that listen there, latest first; of this run before older ones. */
  private serversAt(key: number | string): Handle[] {
    const all = [...this.standing, ...this.listeners];
    const place = placeOf(key);
    return all.flatMap(([handle, server]) => (server.key === place ? [handle] : [])).reverse();
  }

  /** A server that is older than the run takes part in it from the first connection on. */
  private adopt(handle: Handle): Listener {
    const { key, chosen } = this.standing.get(handle)!;
    if (chosen) this.chosen(key as number);
    const listener = new Listener(this, handle, key, this.nameOf(key), this.controller.base);
    this.listeners.set(handle, listener);
    return listener;
  }

  /**
   * Another process is given this handle: what comes over its connection, and to a server, may be that process's doing, and
   * neither end can be followed.
   */
  share(handle: Handle): void {
    const listener = this.listeners.get(handle);
    if (listener) {
      this.listeners.delete(handle);
      listener.detach();
      this.controller.doubt('a server shared with another process');
    }
    const end = this.ends.get(handle);
    for (const each of [end, end?.peer]) if (each?.handle) this.stranger(each.handle);
  }

  /** From now on Node's own code reads and writes this handle: neither end of its connection can be followed. */
  opaque(handle: Handle, what: string): void {
    this.opaques.set(handle, what);
    const end = this.ends.get(handle);
    for (const each of [end, end?.peer]) {
      if (!each) continue;
      each.opaque = what;
      if (each.known) this.connected(each);
    }
  }

  connected(end: End): void {
    end.known = true;
    if (end.opaque && end.handle) this.stranger(end.handle, end.opaque);
  }

  stranger(handle: Handle | undefined, what = 'net.Socket to another process'): void {
    this.controller.doubt(what);
    const end = handle && this.ends.get(handle);
    if (end) this.release(handle, end);
    if (!handle) return;
    this.openStrangers.add(handle);
    if (this.strangers.has(handle)) return;
    this.strangers.add(handle);
    // What nobody reads keeps no process alive; what Node's own code reads cannot be seen.
    const isActive = () => this.read.has(handle) || this.opaques.has(handle);
    const over = this.controller.begin(
      what,
      () => isActive() && handle.hasRef() && !this.resting.has(handle),
    );
    const { close } = handle as unknown as { close: Call };
    const host = this;
    Object.assign(handle, {
      close(this: Handle, ...args: unknown[]) {
        over();
        host.openStrangers.delete(handle);
        return close.apply(this, args);
      },
    });
  }

  /** Nothing has happened for a while: finds sockets of strangers for which libuv does not wait. True where there are some. */
  findResting(): boolean {
    if (this.openStrangers.size === 0) return false;
    const watched = watchedDescriptors();
    this.resting = new Set(
      [...this.openStrangers].filter(
        (handle) => descriptorOf(handle) >= 0 && !watched.has(descriptorOf(handle)),
      ),
    );
    return this.resting.size > 0;
  }

  /** Something happens again. */
  wakeResting(): void {
    if (this.resting.size > 0) this.resting = new Set();
  }

  /**
   * The program uses a socket that was connected before the run: what comes from it is not held. `standard`: how the
   * same of a standard stream is called, if it matters.
   */
  olderThanRun(
    handle: Handle & { readonly fd?: number },
    standard: string | null = null,
    what = 'net.Socket opened before the run',
  ): void {
    if (!this.controller.active() || this.openStrangers.has(handle)) return;
    const isStandard = handle.fd !== undefined && handle.fd <= 2;
    // What it is asked for may be answered: the run waits for that, and is not stuck.
    if (!isStandard) this.stranger(handle, what);
    else if (standard) this.controller.doubt(standard);
  }

  /** A pipe whose other end lies in another process. */
  outside(handle: Handle, what: string, origin: RequestOrigin, elapsed: Elapsed): Outside {
    this.used.add(handle);
    const end = new End(handle, what, this.capture());
    const outside = new Outside(this, end, origin, elapsed);
    end.outside = outside;
    this.ends.set(handle, end);
    const { controller, binding } = this;
    Object.defineProperty(handle, 'bytesRead', {
      configurable: true,
      get: () => binding.bytesRead.call(handle) - (controller.rules.traceless ? outside.ahead : 0),
    });
    return outside;
  }

  /** The handle is Node's again. */
  private release(handle: Handle, end: End): void {
    this.ends.delete(handle);
    if (end.outside) {
      end.outside.release();
      delete (handle as { bytesRead?: number }).bytesRead;
    }
    end.stopReading?.();
    if (end.read) this.controller.cancel(end.read);
    end.read = null;
    if (!end.reading || end.closed) return;
    this.read.add(handle);
    if (end.spare) this.later(() => this.handSpare(handle, end));
    else this.raw['readStart']!.call(handle);
  }

  /** What was read beyond the last read of the run comes before all else. */
  private handSpare(handle: Handle, { closed, spare }: End): void {
    if (closed || !spare) return;
    const { bytes, end } = spare;
    if (bytes.length > 0) this.hand(handle, bytes.length, 0, bytes.slice().buffer);
    if (end === null) this.raw['readStart']!.call(handle);
    else this.hand(handle, end, 0, undefined);
  }

  /** The run is over. */
  drop(): void {
    for (const listener of this.listeners.values()) {
      listener.detach();
      const { handle, key } = listener;
      const chosen = this.chosenPorts.has(key);
      this.standing.set(handle, { key, chosen });
    }
    for (const [handle, end] of this.ends) {
      if (!end.isActive) this.used.delete(handle);
      this.release(handle, end);
      for (const owed of end.owed) owed.native();
    }
    for (const tell of this.untold) tell();
    this.openStrangers.clear();
    this.wakeResting();
    this.listeners = new Map();
    this.ends = new Map();
    this.untold.clear();
    this.chosenPorts.clear();
  }

  /**
   * Handles of the run that keep the process alive until Node has closed them, and those that do not though Node lists
   * them, by the names that Node gives to them. `kinds`: of all handles.
   */
  alive(kinds: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    const count = (handle: Handle, kind: string) => {
      if (handle.hasRef()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    };
    for (const handle of this.listeners.keys())
      count(handle, handle.getpeername ? 'TCPServerWrap' : 'PipeWrap');
    const unused = kinds.includes('PipeWrap') ? this.unused() : [];
    for (const handle of new Set([...this.here(), ...this.closing, ...unused]))
      count(handle, handle.getpeername ? 'TCPSocketWrap' : 'PipeWrap');
    return counts;
  }

  /**
   * A handle of the run that is not closed keeps the process alive. Closed ones do so for one round of the loop, which
   * brings nothing but their callbacks.
   */
  holds(): boolean {
    for (const handle of this.listeners.keys()) if (handle.hasRef()) return true;
    for (const [handle, { isActive, outside }] of this.ends)
      if (isActive && (!outside || outside.isSilent) && handle.hasRef()) return true;
    return false;
  }

  /** Ports that were open before the run, at which nobody else can listen: the kernel has not chosen them. */
  portsAround(): number[] {
    const ports = [...this.standing.values()].flatMap(({ key, chosen }) =>
      typeof key === 'number' && !chosen ? [key] : [],
    );
    return [...new Set(ports)].sort((a, b) => a - b);
  }

  /** Descriptors of what nobody outside brings something to. */
  inside(): Inside {
    const connected = this.here().filter((handle) => {
      const { peer, outside, isActive } = this.ends.get(handle)!;
      return (peer || outside || !isActive) && !this.opaques.has(handle);
    });
    const servers = [
      ...[...this.listeners].map(([handle, { key }]) => ({ handle, isChosen: this.chosenPorts.has(key) })),
      ...[...this.standing].map(([handle, { chosen }]) => ({ handle, isChosen: chosen })),
    ];
    const unknown = servers.flatMap(({ handle, isChosen }) => (isChosen ? [descriptorOf(handle)] : []));
    return { connected: new Set(connected.map(descriptorOf)), unknown: new Set(unknown) };
  }

  /** Handles of ends whose news are controlled, or that bring none. */
  private here(): Handle[] {
    return [...this.ends].flatMap(([handle, { outside, isActive }]) =>
      !outside || outside.isSilent || !isActive ? [handle] : [],
    );
  }

  /** Pipes that were made and not used so far: Node lists them, and libuv does not wait for them. */
  private unused(): Handle[] {
    return this.pipes().filter((handle) => !this.used.has(handle));
  }

  /** All that Node lists. */
  private pipes(): Handle[] {
    const { _getActiveHandles } = process as unknown as { _getActiveHandles(): { _handle?: Handle }[] };
    return _getActiveHandles
      .call(process)
      .map((owner) => owner._handle ?? (owner as unknown as Handle))
      .filter((handle) => Object.getPrototypeOf(handle) === this.binding.pipe);
  }

  tell(end: End | null, news: RequestOrigin | null = null): void {
    // Every write counts in the names, whether or not the one before was read already.
    const origin = news ?? originOf(this.controller, 'net.read');
    if (!end || end.closed || end.ended) return;
    end.news ??= origin;
    this.wake(end);
  }

  wake(end: End): void {
    if (end.read || !end.readable) return;
    const { controller } = this;
    const { handle } = end;
    if (!handle || this.ends.get(handle) !== end) return;
    const origin = end.news ?? originOf(controller, 'net.read');
    end.news = null;
    let result = 0;
    let offset = 0;
    let bytes: ArrayBuffer | undefined;
    const read = (done: () => void) =>
      readWhole(end, this.readOnce.bind(this, end, handle), (nread, at, buffer) => {
        result = nread;
        offset = at;
        bytes = buffer;
        this.hadRead(end, nread, origin);
        // What was read makes room for what the peer could not write before.
        if (end.peer && end.peer.queued > 0) this.later(() => this.later(done));
        else done();
      });
    const ahead = controller.rules.traceless ? null : new Once<true>();
    end.read = issueArrival(controller, {
      ...{ api: 'net.read', what: end.what, origin, context: end.context },
      // What waits in the writer's queue is not in the kernel yet.
      how: { by: 'handle', local: end.peer?.queued === 0 },
      happen: (done) => (ahead ? ahead.await(done) : read(done)),
      deliver: () => {
        end.lastRead = end.read;
        end.read = null;
        if (end.closed) return;
        try {
          const next = this.hand(handle, result, offset, bytes);
          if (next instanceof Uint8Array) this.raw['useUserBuffer']!.call(handle, next);
        } finally {
          this.wake(end);
        }
      },
    });
    if (!ahead) return;
    const came = controller.expect();
    read(() => {
      ahead.come(true);
      came();
    });
  }

  /** Tells the handle what was read, as Node does; returns what that answers. */
  private hand(handle: Handle, ...[nread, offset, bytes]: Parameters<ReadThen>): unknown {
    const { kArrayBufferOffset, kReadBytesOrError, state } = this.binding;
    state[kReadBytesOrError] = nread;
    state[kArrayBufferOffset] = offset;
    return handle.onread(bytes);
  }

  private hadRead(end: End, nread: number, origin: RequestOrigin): void {
    if (nread > 0) end.got += nread;
    else end.ended = true;
    // The rest of what the same writer wrote.
    if (end.peer && (end.peer.sent > end.got || end.peer.finished))
      end.news ??= { ...origin, name: rest(origin.name) };
  }

  readOnce(end: End, handle: Handle, then: ReadThen): void {
    const { binding, raw } = this;
    const { onread } = handle;
    const restore = () => {
      end.stopReading = null;
      raw['readStop']!.call(handle);
      handle.onread = onread;
    };
    end.stopReading = restore;
    handle.onread = (buffer) => {
      const nread = binding.state[binding.kReadBytesOrError] as number;
      const offset = binding.state[binding.kArrayBufferOffset] as number;
      restore();
      then(nread, offset, buffer);
    };
    const error = raw['readStart']!.call(handle) as number;
    if (error === 0) return;
    restore();
    then(error, 0, undefined);
  }
}

/** `name` for the first read, `name+1` and so on for what one read could not take. */
function rest(name: string): string {
  const [, first, n] = /^(.*?)(?:\+(\d+))?$/s.exec(name) as RegExpExecArray;
  return `${first}+${Number(n ?? 0) + 1}`;
}

function methods(prototype: object): Record<string, Call> {
  const found: Record<string, Call> = {};
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    if (typeof value === 'function' && name !== 'constructor') found[name] = value as Call;
  return found;
}
