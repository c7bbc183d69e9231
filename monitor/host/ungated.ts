/**
 * Work of the host that is not gated yet and that Node does not list among its active handles: crypto, dns,
 * zlib, WebAssembly. It runs when it runs; the controller only learns that it is under way, so that virtual
 * time does not outrun it (C12), and how often it was used, so that reports can name it.
 */
import crypto from 'node:crypto';
import dns from 'node:dns';
import type { HostController } from './request.ts';

const CRYPTO_CALLBACKS = [
  'checkPrime',
  'diffieHellman',
  'generateKey',
  'generateKeyPair',
  'generatePrime',
  'hkdf',
  'pbkdf2',
  'pseudoRandomBytes',
  'randomBytes',
  'randomFill',
  'randomInt',
  'scrypt',
  'sign',
  'verify',
];
const SUBTLE = [
  'decrypt',
  'deriveBits',
  'deriveKey',
  'digest',
  'encrypt',
  'exportKey',
  'generateKey',
  'importKey',
  'sign',
  'unwrapKey',
  'verify',
  'wrapKey',
];
const DNS = [
  'lookup',
  'lookupService',
  'resolve',
  'resolve4',
  'resolve6',
  'resolveAny',
  'resolveCaa',
  'resolveCname',
  'resolveMx',
  'resolveNaptr',
  'resolveNs',
  'resolvePtr',
  'resolveSoa',
  'resolveSrv',
  'resolveTlsa',
  'resolveTxt',
  'reverse',
];
const ZLIB_HANDLES = ['Zlib', 'BrotliEncoder', 'BrotliDecoder', 'ZstdCompress', 'ZstdDecompress'];

type Call = (this: any, ...args: unknown[]) => unknown;
type Methods = Record<string, Call>;

/** Counts the work that has no resource of its own. */
export function watchUngated(controller: HostController): void {
  const module = crypto as unknown as Methods;
  for (const name of CRYPTO_CALLBACKS) countCallback(controller, module, name, `crypto.${name}`);
  const subtle = Object.getPrototypeOf(crypto.webcrypto.subtle) as Methods;
  for (const name of SUBTLE) countPromise(controller, subtle, name, `crypto.subtle.${name}`);
  for (const name of DNS) {
    countCallback(controller, dns as unknown as Methods, name, `dns.${name}`);
    countCallback(controller, dns.Resolver.prototype as unknown as Methods, name, `dns.${name}`);
    countPromise(controller, dns.promises as unknown as Methods, name, `dns.${name}`);
    countPromise(controller, dns.promises.Resolver.prototype as unknown as Methods, name, `dns.${name}`);
  }
  const wasm = (globalThis as unknown as { WebAssembly: Methods }).WebAssembly;
  for (const name of ['compile', 'instantiate']) countPromise(controller, wasm, name, `WebAssembly.${name}`);
  countZlib(controller);
}

function replace(target: Methods, name: string, wrap: (native: Call) => Call): void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  if (typeof before?.value !== 'function') return;
  const { value: native } = before;
  const wrapped = wrap(native);
  for (const key of ['name', 'length'])
    Object.defineProperty(wrapped, key, Object.getOwnPropertyDescriptor(native, key) as PropertyDescriptor);
  // Symbols say how to promisify.
  for (const key of Object.getOwnPropertySymbols(native))
    Object.defineProperty(wrapped, key, Object.getOwnPropertyDescriptor(native, key) as PropertyDescriptor);
  Object.defineProperty(target, name, { ...before, value: wrapped });
}

function countCallback(controller: HostController, target: Methods, name: string, api: string): void {
  replace(
    target,
    name,
    (native) =>
      function (this: unknown, ...args) {
        const callback = args.at(-1);
        if (typeof callback !== 'function' || !controller.active()) return native.apply(this, args);
        let over = controller.begin(api);
        args[args.length - 1] = function (this: unknown, ...answer: unknown[]) {
          over();
          return callback.apply(this, answer);
        };
        try {
          return native.apply(this, args);
        } catch (error) {
          over();
          over = () => {};
          throw error;
        }
      },
  );
}

function countPromise(controller: HostController, target: Methods, name: string, api: string): void {
  replace(
    target,
    name,
    (native) =>
      function (this: unknown, ...args) {
        const promise = native.apply(this, args) as Promise<unknown>;
        if (!controller.active()) return promise;
        const over = controller.begin(api);
        promise.then(over, over);
        return promise;
      },
  );
}

/** Each write to a zlib handle is a job; its end is the callback that the handle was initialised with. */
function countZlib(controller: HostController): void {
  const binding = (process as unknown as { binding(name: string): any }).binding('zlib');
  const writing = new WeakMap<object, () => void>();
  for (const name of ZLIB_HANDLES) {
    const prototype = binding?.[name]?.prototype as Methods | undefined;
    if (!prototype) continue;
    const { init, write } = prototype;
    if (!init || !write) continue;
    prototype['init'] = function (this: object, ...args) {
      const at = args.findIndex((arg) => typeof arg === 'function');
      const ended = args[at] as Call;
      if (at >= 0)
        args[at] = function (this: object, ...answer: unknown[]) {
          writing.get(this)?.();
          writing.delete(this);
          return ended.apply(this, answer);
        };
      return init.apply(this, args);
    };
    prototype['write'] = function (this: object, ...args) {
      if (controller.active()) writing.set(this, controller.begin('zlib'));
      return write.apply(this, args);
    };
  }
}
