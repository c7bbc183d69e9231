/**
 * C7: who could still bring something to a program that can do nothing more by itself. Where there is nobody, what it
 * waits for never comes, although a server or a connection keeps the process alive.
 *
 * Node's report lists all that libuv waits for, whether or not it keeps the process alive. What has both of its ends in
 * this process brings nothing; to a port that the kernel has chosen nobody connects who was not told, and into a directory of
 * a random name nobody writes; all else may.
 */
import { isMainThread, type Worker } from 'node:worker_threads';
import { wrapMethod } from '../replace.ts';
import { bindingOf } from './bindings.ts';
import type { HostRequests } from './controller.ts';
import { isOwnTemporary } from './fs-paths.ts';
import { type LoopHandle, loopHandles } from './net/watched.ts';
import { onWorker } from './workers.ts';

/** What each loop of Node has for itself. Messages come through `async`: those of threads are asked for before. */
const OWN: ReadonlySet<string> = new Set(['async', 'check', 'idle', 'loop', 'prepare', 'timer']);

const NAMES: Readonly<Record<string, string>> = {
  process: 'a child process',
  fs_event: 'a watched file',
  fs_poll: 'a watched file',
  tcp: 'a connection to another process, or a server that others may know',
  pipe: 'a pipe from another process, or a server that others may know',
  udp: 'a socket for datagrams that others may know',
  tty: 'the terminal',
};
const THREAD = 'another thread';
const TIMER = 'a timer that was set before the run';
const TOLD = 'a server of which a child process may know';

/** Descriptors of sockets whose other ends are all here. */
export interface Inside {
  /** Both ends of these connections. */
  readonly connected: ReadonlySet<number>;
  /** Servers and sockets for datagrams on ports of which nobody knows who was not told. */
  readonly unknown: ReadonlySet<number>;
}

export class Outsiders {
  private readonly controller: Pick<HostRequests, 'active'>;
  private readonly awaitsTimer: () => boolean;
  private readonly inside: () => Inside;
  /** Handles of whoever runs the program, who was there before. */
  private readonly first: ReadonlySet<string>;
  private readonly workers = new Set<Worker>();
  /** The program has started a process, which may have started others that last: in the run, or around it. */
  private readonly hasSpawned = { within: false, around: false };
  /** How many listeners each signal had before the run. */
  private handled: ReadonlyMap<string, number> = new Map();

  /** `awaitsTimer`: a timer of the program's will go off that is not of the run. */
  constructor(controller: Pick<HostRequests, 'active'>, awaitsTimer: () => boolean, inside: () => Inside) {
    this.controller = controller;
    this.awaitsTimer = awaitsTimer;
    this.inside = inside;
    this.first = new Set(isMainThread ? loopHandles().map(keyOf) : []);
    onWorker((worker) => {
      this.workers.add(worker);
      worker.once('exit', () => this.workers.delete(worker));
    });
    this.watchSpawns(bindingOf('process_wrap').Process.prototype);
    this.watchSpawns(bindingOf('spawn_sync'));
  }

  private watchSpawns(binding: object): void {
    const note = () => {
      this.hasSpawned[this.controller.active() ? 'within' : 'around'] = true;
    };
    wrapMethod(
      binding,
      'spawn',
      (native) =>
        function (this: unknown, ...args) {
          note();
          return native.apply(this, args);
        },
    );
  }

  /** A run begins. */
  begin(): void {
    this.hasSpawned.within = false;
    this.handled = new Map(signals().map((name) => [name, process.listenerCount(name)]));
  }

  /** Who could bring something, for people; empty: nobody. Takes some ms. */
  find(): string[] {
    if (!isMainThread || this.workers.size > 0) return [THREAD];
    const handles = loopHandles().filter(({ is_active, type }) => is_active && !OWN.has(type));
    const inside = this.inside();
    const names = handles.flatMap((each) => this.nameOf(each, handles, inside) ?? []);
    return [...new Set(this.awaitsTimer() ? [TIMER, ...names] : names)];
  }

  /** There are threads, or may be processes, that know what this thread knows. */
  get mayKnow(): boolean {
    const { within, around } = this.hasSpawned;
    return !isMainThread || this.workers.size > 0 || within || around;
  }

  private nameOf(handle: LoopHandle, all: readonly LoopHandle[], inside: Inside): string | null {
    const { type, fd = -1, signal = '', filename = '' } = handle;
    if (type === 'signal') return this.isOfRun(signal) ? `a handler of ${signal}` : null;
    if (this.first.has(keyOf(handle)) || inside.connected.has(fd) || all.some(isPeerOf(handle))) return null;
    if (inside.unknown.has(fd)) return this.mayKnow ? TOLD : null;
    if (type === 'fs_event' && !this.mayKnow && isOwnTemporary(filename)) return null;
    return NAMES[type] ?? `a handle of the kind ${type}`;
  }

  private isOfRun(signal: string): boolean {
    return process.listenerCount(signal) > (this.handled.get(signal) ?? 0);
  }
}

/** Signals that somebody listens for. */
const signals = (): string[] =>
  process
    .eventNames()
    .map(String)
    .filter((name) => name.startsWith('SIG'));

const keyOf = ({ type, fd, address }: LoopHandle): string => `${type} ${fd} ${address}`;

const placeOf = (end: LoopHandle['localEndpoint']): string | null =>
  typeof end === 'object' && end?.port ? `${end.ip4 ?? end.ip6} ${end.port}` : null;

/** Whether a socket is the other end of this one. */
function isPeerOf({ localEndpoint, remoteEndpoint }: LoopHandle): (other: LoopHandle) => boolean {
  const [here, there] = [placeOf(localEndpoint), placeOf(remoteEndpoint)];
  return (other) =>
    there !== null && placeOf(other.localEndpoint) === there && placeOf(other.remoteEndpoint) === here;
}
