/**
 * The pieces of a request's body. A server of Node has its connections read by the parser itself, which calls the program
 * back for each piece as the loop does: ticks and microtasks run before the next piece, or the end, is told. Connections
 * that are followed from end to end are read in JavaScript, where all of that would be one callback.
 */
import { replaceMethod } from '../../replace.ts';
import { whenLoaded } from '../builtins.ts';
import type { Handle } from './binding.ts';
import type { NetHost } from './net-host.ts';

interface BodyParser {
  [callback: number]: Function | undefined;
  readonly socket?: { readonly _handle?: Handle | null } | null;
}

interface BodyParsers {
  readonly HTTPParser: {
    readonly REQUEST: number;
    readonly kOnBody: number;
    readonly prototype: { initialize: Function };
  };
}

export function wrapBodies(host: NetHost): void {
  const { controller } = host;
  whenLoaded<BodyParsers>('_http_common', ({ HTTPParser: { REQUEST, kOnBody, prototype } }) => {
    const watched = new WeakSet<BodyParser>();
    const ofServers = new WeakSet<BodyParser>();
    const { initialize } = prototype;
    replaceMethod(prototype, 'initialize', function (this: BodyParser, ...args: unknown[]) {
      // Parsers are used again, for either side.
      if (args[0] === REQUEST) ofServers.add(this);
      else ofServers.delete(this);
      const onBody = this[kOnBody];
      if (onBody && !watched.has(this)) {
        watched.add(this);
        this[kOnBody] = (...piece: unknown[]) => {
          const handle = this.socket?._handle;
          const value: unknown = onBody.apply(this, piece);
          if (ofServers.has(this) && handle && host.endOf(handle) && controller.running) controller.drain();
          return value;
        };
      }
      return initialize.apply(this, args);
    });
  });
}
