/** Servers of `node:http` and `node:https`: all frameworks that listen hear the event `request` of one. */
import type http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SentRequest } from '../../data/exchange.ts';
import { replaceMethod } from '../replace.ts';
import { runtime } from '../runtime/index.ts';
import { arrived, isHeard, ownPorts, type SendRequest } from './arrivals.ts';
import { bodyOf, sendableHeaders } from './messages.ts';

type HttpModule = Pick<typeof http, 'Server' | 'request'>;
type AskServer = typeof http.request;

let isWatching = false;

/** From now on their requests are told. Both modules are loaded by that, so it is for processes in which tests begin. */
export function watchServers(): void {
  if (isWatching) return;
  isWatching = true;
  for (const name of ['node:http', 'node:https']) {
    const { Server, request } = process.getBuiltinModule(name) as HttpModule;
    watchThose(Server.prototype, request);
  }
}

function watchThose(servers: http.Server, ask: AskServer): void {
  const { emit } = servers;
  replaceMethod(servers, 'emit', function (this: http.Server, event: string, ...args: unknown[]) {
    const serve = (): boolean => Reflect.apply(emit, this, [event, ...args]);
    if (event !== 'request' || !isHeard()) return serve();
    const [request, response] = args as [IncomingMessage, ServerResponse];
    const own = ownPorts.get(request.socket?.remotePort ?? 0);
    if (own) {
      // Frameworks go on when the body is there, which is in another turn.
      const { emit: tell } = request;
      request.emit = (...told: unknown[]) => own(() => Reflect.apply(tell, request, told));
      return own(serve);
    }
    const [handler] = this.listeners('request');
    if (!handler) return serve();
    arrived({ handler, port: portOf(this), request, response, serve, send: senderTo(this, ask) });
    return true;
  });
}

const portOf = (server: http.Server): number | null => (server.address() as AddressInfo | null)?.port ?? null;

/** Each request has a connection of its own, as those of different clients have. */
function senderTo(server: http.Server, ask: AskServer): SendRequest {
  return (sent) =>
    new Promise((resolve, reject) => {
      const frame = runtime.frames.cur();
      const asSender = <T>(serve: () => T): T => (frame ? runtime.frames.runAs(frame, serve) : serve());
      const { method, url: path, body } = sent;
      const how = {
        method,
        path,
        headers: headersFor(server, sent),
        agent: false,
        rejectUnauthorized: false,
      };
      const asked = ask({ ...placeOf(server), ...how }, (response) => {
        bodyOf(response).then(
          (text) => resolve({ status: response.statusCode!, headers: defined(response.headers), body: text }),
          reject,
        );
      });
      asked.on('error', reject);
      asked.on('socket', (socket) => {
        socket.once('connect', () => ownPorts.set(socket.localPort ?? 0, asSender));
        socket.once('close', () => ownPorts.delete(socket.localPort ?? 0));
      });
      asked.end(body === null ? undefined : Buffer.from(body, 'latin1'));
    });
}

const ANYWHERE: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
]);

function placeOf(server: http.Server) {
  const at = server.address();
  if (at === null) throw new Error('the server listens no more');
  if (typeof at === 'string') return { socketPath: at };
  return { host: ANYWHERE.get(at.address) ?? at.address, port: at.port };
}

/** Where the recorded one names the port of its server, this one names that of today. */
function headersFor(server: http.Server, { headers, port, body }: SentRequest) {
  const today = portOf(server);
  const sendable = sendableHeaders(headers, body);
  if (port === null || today === null) return sendable;
  const moved = (value: string): string => value.replaceAll(`:${port}`, `:${today}`);
  return Object.fromEntries(
    Object.entries(sendable).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(moved) : moved(value),
    ]),
  );
}

const defined = (headers: http.IncomingHttpHeaders): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
