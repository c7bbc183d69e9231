/** The package `light-my-request`, the `inject` of Fastify and others: requests without a connection. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LockAdapter } from '../locks/api.ts';
import { arrived, isHeard, type SendRequest } from './arrivals.ts';
import { sendableHeaders } from './messages.ts';

type InjectedHandler = (this: unknown, request: IncomingMessage, response: ServerResponse) => unknown;

interface Injected {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly rawPayload: Buffer;
}

type Inject = (dispatch: InjectedHandler, options: unknown, callback?: unknown) => PromiseLike<Injected>;

/** It has no locks: what it exports is replaced, whichever copy of it the program has. */
export const lightMyRequest: LockAdapter = {
  module: 'light-my-request',
  replaces: ['inject'],
  adopt(exports) {
    const native = (typeof exports === 'function' ? exports : exports['default']) as Inject | undefined;
    if (typeof native !== 'function') return undefined;
    const inject = watched(native);
    return { default: Object.assign(inject, native, { default: inject, inject }), inject };
  },
};

function watched(native: Inject): Inject {
  return function (this: unknown, dispatch, ...how) {
    if (typeof dispatch !== 'function') return Reflect.apply(native, this, [dispatch, ...how]);
    const send: SendRequest = async ({ method, url, headers, body }) => {
      const payload = body === null ? {} : { payload: Buffer.from(body, 'latin1') };
      const answer = await native(dispatch, {
        method,
        url,
        headers: sendableHeaders(headers, body),
        ...payload,
      });
      const told = Object.entries(answer.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value : String(value),
      ]);
      return {
        status: answer.statusCode,
        headers: Object.fromEntries(told),
        body: answer.rawPayload.toString('latin1'),
      };
    };
    const heard: InjectedHandler = function (this: unknown, request, response) {
      const serve = (): unknown => Reflect.apply(dispatch, this, [request, response]);
      if (!isHeard()) return serve();
      return arrived({ handler: dispatch, port: null, request, response, serve, send });
    };
    return Reflect.apply(native, this, [heard, ...how]);
  };
}
