/** Functions of Node's public modules that answer once, one row each: crypto, DNS, WebAssembly, blobs. */

import crypto from 'node:crypto';
import { wrapMethod } from '../replace.ts';
import { valueUnder } from '../symbols.ts';
import { AroundWork } from './around-work.ts';
import { whenLoaded } from './builtins.ts';
import { isUncached } from './compiled.ts';
import { type Capture, newObject } from './context.ts';
import type { HostLiveness, HostRequests } from './controller.ts';
import { HostJob, type JobPlace } from './job.ts';
import { KnownAnswers } from './known.ts';
import type { Call } from './net/binding.ts';
import { STREAMING, watchStreams, withStream } from './wasm-streaming.ts';

const CRYPTO = [
  ...[
    'argon2',
    'checkPrime',
    'decapsulate',
    'diffieHellman',
    'encapsulate',
    'generateKey',
    'generateKeyPair',
  ],
  ...['generatePrime', 'hkdf', 'pbkdf2', 'prng', 'pseudoRandomBytes', 'randomBytes', 'randomFill'],
  ...['randomInt', 'rng', 'scrypt', 'sign', 'verify'],
];
/** Those that take longer than their call; keys are read and made known within it. */
const SUBTLE = [
  ...['decapsulateBits', 'decapsulateKey', 'decrypt', 'deriveBits', 'deriveKey', 'digest', 'encapsulateBits'],
  ...['encapsulateKey', 'encrypt', 'generateKey', 'sign', 'unwrapKey', 'verify', 'wrapKey'],
];
/** Questions to the resolver of the system, which blocks a thread. */
const LOOKUPS = ['lookup', 'lookupService'];
/** Questions to name servers. */
const QUERIES = [
  ...['resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx'],
  ...['resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTlsa', 'resolveTxt'],
  'reverse',
];
const WASM = ['compile', 'instantiate'];

interface JobRow {
  readonly target: unknown;
  readonly names: readonly string[];
  readonly prefix: string;
  /** `stream`: a promise, by work that begins when the body of a response has come. */
  readonly answers: 'callback' | 'promise' | 'stream';
  readonly place: JobPlace;
}

interface JobTable {
  /** The module whose functions these are; null where they are always there. */
  readonly module: string | null;
  /** The rows, when it is loaded. */
  rows(exports: Record<string, any>): readonly JobRow[];
}

/** All rows, by module: what the program has not loaded yet it may change before it does. */
const TABLES: readonly JobTable[] = [
  {
    module: null,
    rows: () => {
      const subtle: unknown = Object.getPrototypeOf(crypto.webcrypto.subtle);
      return [
        { target: crypto, names: CRYPTO, prefix: 'crypto', answers: 'callback', place: 'pool' },
        { target: subtle, names: SUBTLE, prefix: 'crypto.subtle', answers: 'promise', place: 'pool' },
        ...engineRows(globalThis),
        // What is in memory is told within the call.
        { target: blobReader(), names: ['pull'], prefix: 'Blob', answers: 'callback', place: 'pool' },
      ];
    },
  },
  { module: 'dns', rows: (dns) => resolverRows(dns, 'callback') },
  // What `dns.promises` and `dns/promises` are.
  { module: 'internal/dns/promises', rows: (dns) => resolverRows(dns, 'promise') },
];

/** By which Node reads a `Blob`, which may stand for a file. */
function blobReader(): unknown {
  const handle = valueUnder(new Blob([]), 'kHandle') as { getReader(): object };
  return Object.getPrototypeOf(handle.getReader());
}

/** What the engine of a realm does in threads of its own. */
function engineRows(realm: typeof globalThis): JobRow[] {
  const { WebAssembly: target } = realm as unknown as { WebAssembly: unknown };
  const common = { target, prefix: 'WebAssembly', place: 'soon' } as const;
  return [
    { ...common, names: WASM, answers: 'promise' },
    { ...common, names: STREAMING, answers: 'stream' },
  ];
}

function resolverRows(dns: Record<string, any>, answers: JobRow['answers']): JobRow[] {
  const common = { prefix: 'dns', answers };
  return [
    { target: dns, names: LOOKUPS, ...common, place: 'slow' },
    { target: dns, names: QUERIES, ...common, place: 'elsewhere' },
    { target: dns['Resolver'].prototype, names: QUERIES, ...common, place: 'elsewhere' },
  ];
}

/** Calls `then` with all rows: of each module when it is loaded. */
export function eachJobRow(then: (row: JobRow) => void): void {
  for (const { module, rows } of TABLES)
    if (module === null) rows({}).forEach(then);
    else whenLoaded<Record<string, unknown>>(module, (exports) => rows(exports).forEach(then));
}

/**
 * Replaces the functions of all rows. `immediates` counts those of Node's own code as well. Returns what does it in another
 * realm of this thread.
 */
export function wrapJobs(
  controller: HostRequests & HostLiveness,
  capture: Capture,
  later: (fn: () => void) => void,
  immediates: () => number,
  around = new AroundWork(controller),
): (realm: typeof globalThis) => void {
  const knownAnswers = new KnownAnswers(later);
  const wrapRow = ({ target, names, prefix, answers, place }: JobRow): void => {
    for (const name of names) {
      const api = `${prefix}.${name}`;
      const isCalled = answers === 'callback';
      if (answers === 'stream') {
        const job = (at: JobPlace) => new HostJob(controller, api, at, capture(), { later });
        wrapMethod(target as object, name, (native) => withStream(native, () => controller.active(api), job));
        continue;
      }
      const start: StartJob = (first) => {
        if (!controller.active(api)) return null;
        const at = place === 'soon' && isUncached(first) ? 'twice' : place;
        const known = place === 'elsewhere' ? knownAnswers : null;
        const context = capture(isCalled ? newObject(api) : undefined);
        return new HostJob(controller, api, at, context, isCalled ? null : { later }, known);
      };
      // Of what name servers are asked nobody knows when they answer.
      const natively = (native: Call, self: unknown, args: readonly unknown[]): unknown =>
        isCalled && place !== 'elsewhere' && !controller.active()
          ? around.callLast(args, (own) => native.apply(self, own as never))
          : native.apply(self, args as never);
      const wrap = isCalled ? withCallback : withPromise;
      const called: Called = (call) => {
        if (place !== 'elsewhere') return call();
        const before = immediates();
        const result = call();
        // What can be answered without a name server Node has put off already.
        const known = immediates() - before;
        if (known > 0) knownAnswers.add(known, controller.amidHeads());
        return result;
      };
      wrapMethod(target as object, name, (native) => wrap(native, start, called, natively));
    }
  };
  eachJobRow(wrapRow);
  watchStreams();
  return (realm) => engineRows(realm).forEach(wrapRow);
}

/** Begins a job; null where the call stays native. */
type StartJob = (first: unknown) => HostJob | null;
/** Makes a call that stays native. */
type Natively = (native: Call, self: unknown, args: readonly unknown[]) => unknown;
/** Makes the call of a job. */
type Called = <R>(call: () => R) => R;

function withCallback(native: Call, start: StartJob, called: Called, natively: Natively): Call {
  return function (this: unknown, ...args) {
    const job = args.some((arg) => typeof arg === 'function') ? start(args[0]) : null;
    if (!job) return natively(native, this, args);
    // Which one of several functions is the callback is for Node to say.
    const own = args.map((arg) => {
      if (typeof arg !== 'function') return arg;
      // Not every call of Node's takes what could be a constructor.
      return {
        answer(this: unknown, ...answer: unknown[]) {
          job.come(() => arg.apply(this, answer));
        },
      }.answer;
    });
    try {
      return called(() => native.apply(this, own));
    } catch (error) {
      job.cancel();
      throw error;
    }
  };
}

function withPromise(native: Call, start: StartJob, called: Called): Call {
  return function (this: unknown, ...args) {
    const job = start(args[0]);
    if (!job) return native.apply(this, args);
    return ask(job, () => called(() => native.apply(this, args) as Promise<unknown>));
  };
}

/** The answer of what `start` begins, as it is delivered. */
export function ask<T>(job: HostJob, start: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  try {
    start().then(
      (value) => job.come(() => resolve(value)),
      (error: unknown) => job.come(() => reject(error)),
    );
  } catch (error) {
    job.cancel();
    throw error;
  }
  return promise;
}
