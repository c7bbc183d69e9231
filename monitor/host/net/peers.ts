/**
 * Servers in other processes that this one talks to. Nobody has allowed us to run a test twenty times against a database
 * or an API: such a test is recorded, and not forced unless the user names its peers. Where runs are forced a connection
 * to anybody else is refused before it is made.
 */
import fs from 'node:fs';
import { replaceMethod } from '../../replace.ts';
import { type Call, type Handle, isLoopback, type NetBinding, type Req } from './binding.ts';

const { existsSync, readdirSync, readFileSync, readlinkSync } = fs;

/** Environment variable with the peers that are allowed, as a JSON list; without it nothing is refused. */
export const PEERS_VARIABLE = 'UNWEAVE_PEERS';

const UV_ECONNREFUSED = -111;

/** Whose hooks stand around a run: a file of tests. `isLoadedAlone`: not before all others have been, too. */
export interface Around {
  readonly file: string;
  readonly isLoadedAlone: boolean;
}

export class Peers {
  /** Those that were talked to before the first run, where all files had been loaded by then, and hooks of all of them were run. */
  private start: ReadonlySet<string> | null = null;
  /** Those that were talked to outside of runs, by hooks or while its file was loaded, for the file of the present run. */
  private outside = new Set<string>();
  /** The same since that run began: whichever file the next one is of. */
  private readonly since = new Set<string>();
  private readonly inRun = new Set<string>();
  private file: string | null = null;
  /** Null: all are allowed. */
  private readonly allowed: ReadonlySet<string> | null;

  constructor(allowed: ReadonlySet<string> | null) {
    this.allowed = allowed;
  }

  /** A run begins. A process has the tests of many files: what hooks of one file do says nothing of the others. */
  begin({ file, isLoadedAlone }: Around = { file: '', isLoadedAlone: false }): void {
    this.inRun.clear();
    this.start ??= isLoadedAlone ? new Set() : new Set(this.since);
    if (file !== this.file) this.outside = new Set(this.start);
    this.file = file;
    for (const peer of this.since) this.outside.add(peer);
    this.since.clear();
  }

  /** All that the present run, or what stands around it, has talked to. */
  get seen(): readonly string[] {
    return [...new Set([...this.outside, ...this.since, ...this.inRun])].sort();
  }

  saw(peer: string, inRun: boolean): void {
    (inRun ? this.inRun : this.since).add(peer);
  }

  refuses(peer: string): boolean {
    return this.allowed !== null && !isAllowed(peer, this.allowed);
  }
}

/** Whether the user has named a peer: as `host:port`, as `host` for all of its ports, or by the path of its pipe. */
export function isAllowed(peer: string, allowed: ReadonlySet<string>): boolean {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(peer) ?? [];
  // Names of this machine are many.
  const names = isLoopback(host) ? [host, 'localhost'] : [host];
  return allowed.has(peer) || names.some((name) => allowed.has(name) || allowed.has(`${name}:${port}`));
}

/** Of this process. */
export const peers = new Peers(told(process.env[PEERS_VARIABLE]));

function told(json: string | undefined): ReadonlySet<string> | null {
  return json === undefined ? null : new Set(JSON.parse(json) as string[]);
}

/** What the guard must know of the wrapped sockets. */
export interface Neighbourhood {
  /** A server of this process listens there. */
  isOwn(key: number | string): boolean;
  /** A run is on, and the running code is its own. */
  isInRun(): boolean;
  /** A connection was refused that the run wanted: what comes of it is no proof. */
  refused(peer: string): void;
}

/** Wraps connecting; before anybody else does, so that what is refused never gets there. */
export function watchPeers({ tcp, pipe }: Pick<NetBinding, 'tcp' | 'pipe'>, around: Neighbourhood): void {
  for (const name of ['connect', 'connect6']) wrap(tcp, name);
  wrap(pipe, 'connect');

  function wrap(prototype: Record<string, Call>, name: string): void {
    const native = prototype[name]!;
    replaceMethod(prototype, name, function (this: Handle, req: Req, address: string, port?: number) {
      const call = () =>
        native.apply(this, port === undefined ? [req, address] : [req, address, port]) as number;
      if (around.isOwn(port ?? address)) return call();
      const peer = port === undefined ? address : `${address}:${port}`;
      const inRun = around.isInRun();
      if (peers.refuses(peer) && whoListens(address, port) === 'another') {
        if (inRun) around.refused(peer);
        peers.saw(peer, inRun);
        return UV_ECONNREFUSED;
      }
      const { oncomplete } = req;
      req.oncomplete = function (this: unknown, ...values: unknown[]) {
        // Where nobody listens there is no peer.
        if (values[0] === 0 && whoListens(address, port) !== 'the program') peers.saw(peer, inRun);
        return oncomplete.apply(this, values);
      };
      return call();
    });
  }
}

/**
 * Who is there, as far as Linux tells that of ports and pipes of this machine: a server of another thread is the
 * program's own, and one that it has started as a child.
 */
export function whoListens(address: string, port: number | undefined): 'nobody' | 'the program' | 'another' {
  if (port === undefined) return isPipe(address) ? 'another' : 'nobody';
  if (!isLoopback(address)) return 'another';
  try {
    const servers = TABLES.flatMap((file) => serversAt(file, port));
    if (servers.length === 0) return 'nobody';
    const own = new Set(family(process.pid).flatMap(socketsOf));
    return servers.some((inode) => own.has(`socket:[${inode}]`)) ? 'the program' : 'another';
  } catch {
    return 'another';
  }
}

/** A name that begins with a zero byte is in no directory. */
const isPipe = (path: string): boolean => path.startsWith('\0') || existsSync(path);

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const LISTENING = '0A';

/** Inodes of the sockets that listen on a port. */
const serversAt = (file: string, port: number): string[] =>
  socketsIn(file).flatMap(({ inode, local, state }) =>
    state === LISTENING && local === port ? [inode] : [],
  );

/** Whether the kernel holds a connection between a server and a client that nobody has accepted so far, where Linux tells that. */
export const isUnaccepted = (server: number, client: number): boolean =>
  TABLES.flatMap((file) => tried(() => socketsIn(file)) ?? []).some(
    ({ inode, local, remote }) => inode === '0' && local === server && remote === client,
  );

/** A line: number, local address, remote one, state, …, inode in tenth place. */
function socketsIn(file: string): { local: number; remote: number; state: string; inode: string }[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(1);
  const portOf = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16);
  return lines.map((line) => {
    const [, local = '', remote = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/);
    return { local: portOf(local), remote: portOf(remote), state, inode };
  });
}

/** A process and all that it has started, and so on. */
function family(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(family)];
}

function childrenOf(pid: number): number[] {
  const threads = tried(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const lists = threads.map(
    (id) => tried(() => readFileSync(`/proc/${pid}/task/${id}/children`, 'utf8')) ?? '',
  );
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

function socketsOf(pid: number): string[] {
  const fds = tried(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return fds.map((fd) => tried(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? '');
}

/** Undefined where the process, or what it had open, is gone meanwhile. */
function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
