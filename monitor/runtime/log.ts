/** How hooks speak to the sink. Nothing here throws or runs user code. */
import { state } from './state.ts';

/** Whether it can hold state. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Tells the sink, if there is one; only for who has seen to what waits. */
export function tell(site: number, write: boolean, target: object | number, key: PropertyKey | null) {
  state.sink?.access(state.cur, site, write, target, key);
}

/** Keys of Map and Set entries as property keys; objects get one that no string can equal by accident. */
export function elementKey(key: unknown): PropertyKey {
  if (typeof key === 'symbol') return key;
  if (isObject(key)) return objectKey(key);
  return String(key);
}

const objectKeys = new WeakMap<object, symbol>();
function objectKey(o: object): symbol {
  let key = objectKeys.get(o);
  if (key === undefined) {
    key = Symbol(typeof o === 'function' ? 'function' : 'object');
    objectKeys.set(o, key);
  }
  return key;
}
