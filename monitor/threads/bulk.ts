/**
 * Methods of typed arrays in a thread under control: on shared memory they access one element after the other, as the
 * engine does, each by a step of its own. Methods that give nothing but another view are left alone.
 */
import { replaceMethod } from '../replace.ts';
import type { AccessHooks } from './accesses.ts';
import type { Token } from './token.ts';
import type { Marked, Views } from './views.ts';

type View = Marked & Int32Array;
type BulkMethod = (this: View, ...args: any[]) => unknown;

/** Read elements as they go, and may call back in between: those of arrays do the same on whatever has elements. */
const GENERIC = [
  ...['every', 'some', 'forEach', 'find', 'findIndex', 'findLast', 'findLastIndex', 'reduce', 'reduceRight'],
  ...['includes', 'indexOf', 'lastIndexOf', 'join', 'at', 'entries', 'values', 'toLocaleString'],
] as const;
/** The same, with a typed array as result. */
const COPYING = ['map', 'filter', 'slice', 'toReversed', 'with'] as const;
/** Write elements as they go. */
const WRITING = ['fill', 'reverse', 'copyWithin'] as const;

export function installBulk(token: Token, views: Views, hooks: AccessHooks, pointHere: () => number): void {
  const prototype = Object.getPrototypeOf(Int8Array.prototype) as Record<PropertyKey, BulkMethod>;
  const generic = Array.prototype as unknown as Record<PropertyKey, BulkMethod>;
  const isShared = (view: View): boolean =>
    token.quiet === 0 && ArrayBuffer.isView(view) && views.of(view) !== null;
  const elements = (view: View): View =>
    new Proxy(view, {
      get: (target, key) => {
        if (isIndex(key)) hooks.sr(pointHere(), target as never, key);
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, key, value) => {
        if (isIndex(key)) hooks.sw(pointHere(), target as never, key);
        return Reflect.set(target, key, value, target);
      },
      // Elements of a typed array are never missing, whatever is done to them.
      deleteProperty: () => true,
    });
  const replace = (name: PropertyKey, make: (original: BulkMethod) => BulkMethod): void => {
    const original = prototype[name]!;
    const wrapped = function (this: View, ...args: unknown[]): unknown {
      return (isShared(this) ? made : original).apply(this, args);
    };
    const made = make(original);
    replaceMethod(prototype, name, wrapped);
  };
  /** Callbacks are given the view itself. */
  const withView = (view: View, args: unknown[]): unknown[] => {
    const [callback, ...rest] = args;
    if (typeof callback !== 'function') return args;
    return [(...given: unknown[]) => callback.apply(rest[0], [...given.slice(0, -1), view]), ...rest];
  };
  for (const name of GENERIC)
    replace(
      name,
      () =>
        function (...args) {
          return generic[name]!.apply(elements(this), withView(this, args));
        },
    );
  Object.defineProperty(prototype, Symbol.iterator, {
    value: prototype['values'],
    writable: true,
    configurable: true,
  });
  for (const name of COPYING)
    replace(
      name,
      () =>
        function (...args) {
          const all = generic[name]!.apply(elements(this), withView(this, args)) as number[];
          return new (this.constructor as Int32ArrayConstructor)(all);
        },
    );
  for (const name of WRITING)
    replace(
      name,
      () =>
        function (...args) {
          generic[name]!.apply(elements(this), args);
          return this;
        },
    );
  const sorted = (view: View, original: BulkMethod, args: unknown[]): unknown =>
    original.apply(new (view.constructor as Int32ArrayConstructor)([...view]) as View, args);
  const store = (view: View, from: ArrayLike<number>, offset = 0): void => {
    const target = elements(view);
    const source = ArrayBuffer.isView(from) ? elements(from as View) : from;
    for (let i = 0; i < from.length; i++) target[offset + i] = source[i]!;
  };
  replace(
    'sort',
    (original) =>
      function (...args) {
        store(this, sorted(this, original, args) as View);
        return this;
      },
  );
  replace(
    'toSorted',
    (original) =>
      function (...args) {
        return sorted(this, original, args);
      },
  );
  replace(
    'set',
    (original) =>
      function (source, offset = 0) {
        if (!(offset >= 0) || source === null || offset + source.length > this.length)
          return original.call(this, source, offset);
        store(this, Object(source), Math.trunc(offset));
      },
  );
}

const isIndex = (key: PropertyKey): key is string => typeof key === 'string' && /^(?:0|[1-9]\d*)$/.test(key);
