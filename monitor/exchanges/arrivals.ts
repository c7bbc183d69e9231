/**
 * Requests that reach a server of this process, before the program has them. Whoever listens decides what becomes of each; as
 * long as nobody does, all is as it was.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpAnswer, SentRequest } from '../../data/exchange.ts';

/** Sends a request, as a client of the same program would. */
export type SendRequest = (request: SentRequest) => Promise<HttpAnswer>;

/** A request that has come. */
export interface RequestArrival {
  /** What handles requests of this server. */
  readonly handler: Function;
  /** null: it came without a connection. */
  readonly port: number | null;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Lets the program have it. */
  serve(): void;
  readonly send: SendRequest;
}

type HearArrival = (arrival: RequestArrival) => void;

let listener: HearArrival | null = null;
/**
 * By the local ports of our own requests, which the program is to have: what runs them as a part of who has sent them. A port
 * that is left here may be anybody's later.
 */
export const ownPorts = new Map<number, <T>(serve: () => T) => T>();

/** From now on this one is told of each request; null: nobody. */
export function onArrival(hear: HearArrival | null): void {
  listener = hear;
  ownPorts.clear();
}

export const isHeard = (): boolean => listener !== null;

/** Called by what knows of requests. */
export function arrived(arrival: RequestArrival): void {
  if (listener) listener(arrival);
  else arrival.serve();
}
