/**
 * C17: connections that HTTP agents keep for later. What comes from a connection that is older than the run is not
 * held, and a run in a fresh process has none: so they are closed before a run begins, as a server or a time-out may do
 * at any moment.
 */
import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { whenLoaded } from '../builtins.ts';

/** Under these names every copy of undici, the one inside Node included, keeps what `fetch` sends requests through. */
const DISPATCHER = /^undici\.globalDispatcher\.\d+$/;

/** From undici 8 on, what older copies (Node's own `fetch`) find in its place: it hands on to the dispatcher that it was made with. */
const FOR_OLDER = 'Dispatcher1Wrapper';

interface Dispatcher {
  readonly constructor: { readonly name: string; new (of?: Dispatcher): Dispatcher };
  close(): Promise<void>;
}
const globals = globalThis as unknown as Record<symbol, Dispatcher>;

/** Watches the agents; the returned function closes what is idle, and tells whether anything was. */
export function watchIdle(): () => boolean {
  const idle = new Set<Socket>();
  // What http and https share.
  whenLoaded<{ Agent: { prototype: Agent } }>('_http_agent', ({ Agent }) =>
    watchAgents(Agent.prototype, idle),
  );
  return () => {
    const closed = idle.size > 0;
    for (const socket of idle) socket.destroy();
    idle.clear();
    return renewDispatcher() || closed;
  };
}

function watchAgents(prototype: Agent, idle: Set<Socket>): void {
  const { keepSocketAlive, reuseSocket } = prototype;
  prototype.keepSocketAlive = function (this: Agent, socket) {
    const kept = keepSocketAlive.call(this, socket) as unknown;
    if (kept === false) return kept as never;
    idle.add(socket as Socket);
    socket.once('close', () => idle.delete(socket as Socket));
    return kept as never;
  };
  prototype.reuseSocket = function (this: Agent, socket, request) {
    idle.delete(socket as Socket);
    reuseSocket.call(this, socket, request);
  };
}

/** Node's own agent, with Node's own options, gives way to a new one; one that the program chose stays. */
function renewDispatcher(): boolean {
  const names = Object.getOwnPropertySymbols(globals).filter((s) => DISPATCHER.test(s.description ?? ''));
  const [old] = names.map((name) => globals[name]);
  if (old?.constructor.name !== 'Agent') return false;
  if (hasNoClients(old)) return false;
  const fresh = new old.constructor();
  if (optionsOf(old) !== optionsOf(fresh)) return false;
  const renewed = names.map((name) => renewal(globals[name], old, fresh));
  // Whoever hands on to the old one in some way of his own needs it.
  if (renewed.includes(null)) return false;
  for (const [i, name] of names.entries()) globals[name] = renewed[i]!;
  old.close().catch(() => {});
  return true;
}

function renewal(kept: Dispatcher | undefined, old: Dispatcher, fresh: Dispatcher): Dispatcher | null {
  if (kept === old) return fresh;
  return kept?.constructor.name === FOR_OLDER ? new kept.constructor(fresh) : null;
}

/** It has asked nobody so far, or has ended with all of them. */
function hasNoClients(dispatcher: object): boolean {
  const clients = ownOf(dispatcher, 'clients');
  return clients instanceof Map && clients.size === 0;
}

const optionsOf = (dispatcher: object): string =>
  JSON.stringify(ownOf(dispatcher, 'options'), (_, value) =>
    typeof value === 'function' ? String(value) : value,
  );

/** What an object keeps under a symbol of this description. */
function ownOf(object: object, description: string): unknown {
  const symbol = Object.getOwnPropertySymbols(object).find((each) => each.description === description);
  return symbol && (object as Record<symbol, unknown>)[symbol];
}
