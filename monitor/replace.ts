import { standsIn } from './stand-ins.ts';

type Method = (this: any, ...args: any[]) => unknown;

/**
 * Puts a function in the place of a method, which it looks like from outside: name, length, text, how it is promisified,
 * and how it is defined. A method that was inherited stays as it is there.
 */
export function replaceMethod(target: object, key: PropertyKey, value: Function): void {
  const native: object = Reflect.get(target, key);
  for (const own of ['name', 'length', ...Object.getOwnPropertySymbols(native)])
    Object.defineProperty(value, own, Object.getOwnPropertyDescriptor(native, own) as PropertyDescriptor);
  standsIn(value, native);
  const before = Object.getOwnPropertyDescriptor(target, key);
  const { writable = true, enumerable = true, configurable = true } = before ?? {};
  // What is frozen (`--frozen-intrinsics`, or by a program that came before us) stays Node's.
  Reflect.defineProperty(target, key, { value, writable, enumerable, configurable });
}

/** The same with a function made from the method; nothing where the object has none of its own. */
export function wrapMethod(
  target: object | undefined,
  key: PropertyKey,
  wrap: (native: Method) => Method,
): void {
  // Not every Node has every object.
  if (target === undefined) return;
  // A getter may put the method in its own place.
  Reflect.get(target, key);
  const native: unknown = Object.getOwnPropertyDescriptor(target, key)?.value;
  if (typeof native === 'function') replaceMethod(target, key, wrap(native as Method));
}
