/** What requests and answers hold, as they pass by. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpAnswer, SentRequest } from '../../data/exchange.ts';

type Headers = SentRequest['headers'];

/** Of the connection, not of what is asked for; and answers are to come as they are. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...[
    'connection',
    'keep-alive',
    'transfer-encoding',
    'content-length',
    'accept-encoding',
    'expect',
    'upgrade',
  ],
]);

/** The headers of a request that is sent again. */
export function sendableHeaders(headers: Headers, body: string | null): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
  return { ...Object.fromEntries(kept), ...(body === null ? {} : { 'content-length': String(body.length) }) };
}

/** A message without its body. */
export function headOf(request: IncomingMessage, port: number | null): Omit<SentRequest, 'body'> {
  const { method = 'GET', url = '/', headers } = request;
  return { method: method.toUpperCase(), url, headers: texts(headers), port };
}

/** All of a message, one character for each byte. */
export async function bodyOf(message: AsyncIterable<unknown>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces).toString('latin1');
}

/** Listens to the body of a request while the program reads it, or does not. Returns what came so far. */
export function overhearBody(request: IncomingMessage): () => string | null {
  const pieces: Buffer[] = [];
  const { push } = request;
  request.push = function (this: IncomingMessage, piece: unknown, ...rest) {
    if (piece !== null && piece !== undefined) pieces.push(bytesOf(piece, rest[0]));
    return Reflect.apply(push, this, [piece, ...rest]);
  };
  return () => (pieces.length === 0 ? null : Buffer.concat(pieces).toString('latin1'));
}

/** Listens to an answer while the program gives it. */
export function overhearAnswer(response: ServerResponse, hear: (answer: HttpAnswer) => void): void {
  const pieces: Buffer[] = [];
  const { write, end } = response;
  const piece = (value: unknown, encoding: unknown): void => {
    if (value !== null && value !== undefined && typeof value !== 'function')
      pieces.push(bytesOf(value, encoding));
  };
  response.write = function (this: ServerResponse, ...args: unknown[]) {
    piece(args[0], args[1]);
    return Reflect.apply(write, this, args);
  } as typeof write;
  response.end = function (this: ServerResponse, ...args: unknown[]) {
    piece(args[0], args[1]);
    const ended = Reflect.apply(end, this, args);
    const body = Buffer.concat(pieces).toString('latin1');
    hear({ status: response.statusCode, headers: texts(response.getHeaders()), body });
    return ended;
  } as typeof end;
}

function bytesOf(piece: unknown, encoding: unknown): Buffer {
  if (typeof piece !== 'string') return Buffer.from(piece as Uint8Array);
  return Buffer.from(piece, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}

const texts = (headers: Readonly<Record<string, unknown>>): Headers =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name.toLowerCase(), Array.isArray(value) ? value.map(String) : String(value)]];
    }),
  );
