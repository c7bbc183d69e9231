/**
 * C13 for the time-outs that an HTTP server keeps for requests. Node notes when a message began, and compares, where no
 * clock can be replaced. So the moment of the run at which each message began is kept here, and whose time is up is told
 * in Node's place.
 */
import { replaceMethod } from '../../replace.ts';
import { whenLoaded } from '../builtins.ts';
import type { HostClock, HostRequests } from '../controller.ts';

interface Message {
  /** Of the run in which it began. */
  readonly root: object;
  /** See {@link HostRequests & HostClock.moment}. */
  readonly moment: number;
  hasHeaders: boolean;
  isLate: boolean;
}

type HeadParser = Record<number, Function>;

interface HeadParsers {
  readonly HTTPParser: {
    readonly kOnMessageBegin: number;
    readonly kOnHeadersComplete: number;
    readonly prototype: HeadParser & { initialize: Function };
  };
}

interface Servers {
  readonly setupConnectionsTracking: Function;
  readonly kConnectionsCheckingInterval: symbol;
}

/** What Node keeps of the connections of a server. */
interface Connections {
  /** Parsers in the middle of a message. */
  active(): readonly HeadParser[];
  /** Those among them that take longer than so many ms, each told once; 0: as long as they like. */
  expired(headersTimeout: number, requestTimeout: number): readonly HeadParser[];
}

/** The answer tells whether at Node's last look some request of the run was not complete whose time will be up. */
export function wrapMessageTimes(
  controller: HostRequests & HostClock,
  natively: (fn: () => void) => void,
): () => boolean {
  const messages = new WeakMap<HeadParser, Message>();
  /** Lists of connections with such a request, and of which run they are. */
  const waiting = new Set<Connections>();
  let root: object | null = null;

  function begin(parser: HeadParser): void {
    const { root } = controller;
    if (controller.active())
      messages.set(parser, { root, moment: controller.moment(), hasHeaders: false, isLate: false });
    else messages.delete(parser);
  }

  whenLoaded<HeadParsers>('_http_common', ({ HTTPParser }) => {
    const { kOnHeadersComplete, kOnMessageBegin, prototype } = HTTPParser;
    const watched = new WeakSet<HeadParser>();
    const { initialize } = prototype;
    replaceMethod(prototype, 'initialize', function (this: HeadParser, ...args: unknown[]) {
      if (!watched.has(this)) {
        watched.add(this);
        const complete = this[kOnHeadersComplete]!;
        this[kOnHeadersComplete] = (...headers: unknown[]) => {
          const message = messages.get(this);
          if (message) message.hasHeaders = true;
          return complete.apply(this, headers);
        };
        this[kOnMessageBegin] = () => begin(this);
      }
      // A server that waits for a first message counts from here.
      begin(this);
      return initialize.apply(this, args);
    });
  });

  whenLoaded<Servers>('_http_server', (servers) => {
    const connections = connectionsOf(servers, natively);
    const { expired } = connections;
    replaceMethod(connections, 'expired', function (this: Connections, headers: number, request: number) {
      if (!controller.active() || !controller.rules.clocks) return expired.call(this, headers, request);
      // Node has the same notion of two limits in the wrong order.
      const [forHeaders, forAll] = request > 0 && headers > request ? [request, headers] : [headers, request];
      const now = controller.epoch() + controller.clock(() => false);
      if (root !== controller.root) waiting.clear();
      root = controller.root;
      waiting.delete(this);
      return this.active().filter((parser) => {
        const message = messages.get(parser);
        if (!message || message.root !== controller.root || message.isLate) return false;
        if (forAll > 0 || (forHeaders > 0 && !message.hasHeaders)) waiting.add(this);
        const age = now - controller.timeOf(message.moment);
        message.isLate =
          (!message.hasHeaders && forHeaders > 0 && age > forHeaders) || (forAll > 0 && age > forAll);
        return message.isLate;
      });
    });
  });
  return () => root === controller.root && waiting.size > 0;
}

/** Where the methods of all lists of connections are. */
function connectionsOf(servers: Servers, natively: (fn: () => void) => void): Connections {
  const server: Record<symbol, object> & { readonly connectionsCheckingInterval: number } = {
    connectionsCheckingInterval: 1e9,
  };
  natively(() => {
    servers.setupConnectionsTracking.call(server);
    clearInterval(server[servers.kConnectionsCheckingInterval] as NodeJS.Timeout);
  });
  const list = Object.getOwnPropertySymbols(server).find(
    ({ description }) => description === 'http.server.connections',
  );
  if (!list) throw new Error(`Node ${process.version} keeps the connections of servers in another way`);
  return Object.getPrototypeOf(server[list]) as Connections;
}
