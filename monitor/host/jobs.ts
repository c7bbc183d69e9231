/** Functions of Node's public modules that answer once, one row each: crypto, DNS, WebAssembly. */
import crypto from 'node:crypto';
import dns from 'node:dns';
import { wrapMethod } from '../replace.ts';
import { isUncached } from './compiled.ts';
import type { Context } from './context.ts';
import { Job, type Place } from './job.ts';
import { KnownAnswers } from './known.ts';
import type { HostController } from './request.ts';

type Call = (this: any, ...args: unknown[]) => unknown;

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

interface Row {
  readonly target: unknown;
  readonly names: readonly string[];
  readonly prefix: string;
  readonly answers: 'callback' | 'promise';
  readonly place: Place;
}

/** All rows. */
export function jobRows(): Row[] {
  const { promises } = dns;
  const wasm = (globalThis as unknown as { WebAssembly: unknown }).WebAssembly;
  const subtle: unknown = Object.getPrototypeOf(crypto.webcrypto.subtle);
  const called = { prefix: 'dns', answers: 'callback' } as const;
  const promised = { prefix: 'dns', answers: 'promise' } as const;
  return [
    { target: crypto, names: CRYPTO, prefix: 'crypto', answers: 'callback', place: 'pool' },
    { target: subtle, names: SUBTLE, prefix: 'crypto.subtle', answers: 'promise', place: 'pool' },
    { target: dns, names: LOOKUPS, ...called, place: 'slow' },
    { target: promises, names: LOOKUPS, ...promised, place: 'slow' },
    { target: dns, names: QUERIES, ...called, place: 'elsewhere' },
    { target: promises, names: QUERIES, ...promised, place: 'elsewhere' },
    { target: dns.Resolver.prototype, names: QUERIES, ...called, place: 'elsewhere' },
    { target: promises.Resolver.prototype, names: QUERIES, ...promised, place: 'elsewhere' },
    { target: wasm, names: WASM, prefix: 'WebAssembly', answers: 'promise', place: 'soon' },
  ];
}

/** Replaces the functions of all rows. `immediates` counts those of Node's own code as well. */
export function wrapJobs(
  controller: HostController,
  capture: () => Context,
  later: (fn: () => void) => void,
  immediates: () => number,
): void {
  const knownAnswers = new KnownAnswers(later);
  for (const { target, names, prefix, answers, place } of jobRows())
    for (const name of names) {
      const api = `${prefix}.${name}`;
      const isCalled = answers === 'callback';
      const start: Start = (first) => {
        if (!controller.active(api)) return null;
        const at = place === 'soon' && isUncached(first) ? 'twice' : place;
        const known = place === 'elsewhere' ? knownAnswers : null;
        return new Job(controller, api, at, capture(), isCalled ? null : { later }, known);
      };
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
      wrapMethod(target as object, name, (native) => wrap(native, start, called));
    }
}

/** Begins a job; null where the call stays native. */
type Start = (first: unknown) => Job | null;
/** Makes the call of a job. */
type Called = <R>(call: () => R) => R;

function withCallback(native: Call, start: Start, called: Called): Call {
  return function (this: unknown, ...args) {
    const job = args.some((arg) => typeof arg === 'function') ? start(args[0]) : null;
    if (!job) return native.apply(this, args);
    // Which one of several functions is the callback is for Node to say.
    const own = args.map((arg) => {
      if (typeof arg !== 'function') return arg;
      return function (this: unknown, ...answer: unknown[]) {
        job.come(() => arg.apply(this, answer));
      };
    });
    try {
      return called(() => native.apply(this, own));
    } catch (error) {
      job.cancel();
      throw error;
    }
  };
}

function withPromise(native: Call, start: Start, called: Called): Call {
  return function (this: unknown, ...args) {
    const job = start(args[0]);
    if (!job) return native.apply(this, args);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    try {
      called(() => native.apply(this, args) as Promise<unknown>).then(
        (value) => job.come(() => resolve(value)),
        (error: unknown) => job.come(() => reject(error)),
      );
    } catch (error) {
      job.cancel();
      throw error;
    }
    return promise;
  };
}
