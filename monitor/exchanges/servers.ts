/** Servers of `node:http` and `node:https`: all frameworks that listen hear the event `request` of one. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SentRequest } from '../../data/exchange.ts';
import { replaceMethod } from '../replace.ts';
import { runtime } from '../runtime/index.ts';
import { arrived, isHeard, ownPorts, type SendRequest } from './arrivals.ts';
import { bodyOf, sendableHeaders } from './messages.ts';

const { request: askHttp } = http;
const { request: askHttps } = https;

export function watchServers(): void {
  for (const { Server } of [http, https]) {
    const { emit } = Server.prototype;
    replaceMethod(Server.prototype, 'emit', function (this: http.Server, event: string, ...args: unknown[]) {
      const serve = (): boolean => Reflect.apply(emit, this, [event, ...args]);
      if (event !== 'request' || !isHeard()) return serve();
      const [request, response] = args as [IncomingMessage, ServerResponse];
      const [handler] = this.listeners('request');
      const own = ownPorts.get(request.socket?.remotePort ?? 0);
      if (own) {
        // Frameworks go on when the body is there, which is in another turn.
        const { emit: tell } = request;
        request.emit = (...told: unknown[]) => own(() => Reflect.apply(tell, request, told));
        return own(serve);
      }
      if (!handler) return serve();
      arrived({ handler, port: portOf(this), request, response, serve, send: senderTo(this) });
      return true;
    });
  }
}

const portOf = (server: http.Server): number | null => (server.address() as AddressInfo | null)?.port ?? null;

/** Each request has a connection of its own, as those of different clients have. */
function senderTo(server: http.Server): SendRequest {
  const ask = server instanceof https.Server ? askHttps : askHttp;
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
