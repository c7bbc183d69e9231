/**
 * Values of the program in a form that can be compared, kept and shown. Equal forms stand for values that nobody can tell apart
 * by what they hold: `undefined` is not absent, `Map` and `Set` have no order, an instance has its class and its own fields,
 * and an error is its code, or else its name and the first line of its message without numbers.
 *
 * It is a copy: what the program changes later in a value that it has returned is not seen.
 */
import { types } from 'node:util';
import type { Canonical } from '../../data/scenario.ts';
import { ALL_ORACLE_RULES, type OracleRules } from './rules.ts';

/** Begins the one key of what is no plain value; no property of a program is called so. */
export const TAG = '\0';

/** Properties that are not told. */
export const LEFT_OUT = '…';

export const tagged = (kind: string, value: Canonical = true): Canonical => ({ [TAG + kind]: value });

/** Values are cut where they hold more than this. */
const MOST_VALUES = 20_000;

/** @param dir the directory of the run, which is another one each time */
export function canonical(value: unknown, dir: string | null = null, rules = ALL_ORACLE_RULES): Canonical {
  return new CanonicalCopy(dir, rules).of(value);
}

/** Of what was thrown, or rejected with. */
export const canonicalError = (
  error: unknown,
  dir: string | null = null,
  rules = ALL_ORACLE_RULES,
): Canonical => new CanonicalCopy(dir, rules).error(error);

class CanonicalCopy {
  private readonly dir: string | null;
  private readonly rules: OracleRules;
  private readonly within = new Set<object>();
  private left = MOST_VALUES;

  constructor(dir: string | null, rules: OracleRules) {
    this.dir = dir;
    this.rules = rules;
  }

  of(value: unknown): Canonical {
    if (--this.left < 0) return tagged('more');
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
      case 'boolean':
        return value;
      case 'undefined':
        return tagged('undefined');
      case 'bigint':
        return tagged('bigint', String(value));
      case 'symbol':
        return tagged('symbol', this.text(value.description ?? ''));
      case 'function':
        return tagged('function', value.name);
      default:
        return value === null ? null : this.object(value as object);
    }
  }

  error(thrown: unknown): Canonical {
    if (!types.isNativeError(thrown)) return { thrown: this.of(thrown) };
    const { code, name, message } = thrown as Error & { code?: unknown };
    if (typeof code === 'string' || typeof code === 'number') return { code: String(code) };
    const line = this.text(String(message).split('\n', 1)[0] ?? '');
    return { name: String(name), message: this.rules.errorTexts ? line.replace(/\d+/g, '#') : line };
  }

  private text(value: string): string {
    return this.dir === null ? value : value.replaceAll(this.dir, '<dir>');
  }

  private object(value: object): Canonical {
    if (this.within.has(value)) return tagged('cycle');
    this.within.add(value);
    try {
      return this.inside(value);
    } catch (error) {
      // A getter or a proxy of the program.
      return tagged('unreadable', this.error(error));
    } finally {
      this.within.delete(value);
    }
  }

  private inside(value: object): Canonical {
    if (Array.isArray(value)) return this.list(value);
    if (types.isNativeError(value)) return tagged('error', this.error(value));
    if (types.isDate(value)) return tagged('date', String(Number(value)));
    if (types.isRegExp(value)) return tagged('regexp', String(value));
    if (types.isAnyArrayBuffer(value)) return tagged('bytes', Buffer.from(value).toString('latin1'));
    if (ArrayBuffer.isView(value)) return this.bytes(value);
    if (types.isPromise(value)) return tagged('promise');
    if (types.isMap(value)) return tagged('map', this.sorted([...value]));
    if (types.isSet(value)) return tagged('set', this.sorted([...value]));
    return this.fields(value);
  }

  private list(values: readonly unknown[]): Canonical[] {
    const list: Canonical[] = [];
    for (let at = 0; at < values.length && this.left >= 0; at++) list.push(this.of(values[at]));
    return list;
  }

  private sorted(values: readonly unknown[]): Canonical[] {
    const keyed = values.map((each) => {
      const value = this.of(each);
      return { value, key: JSON.stringify(value) };
    });
    if (this.rules.unordered) keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return keyed.map(({ value }) => value);
  }

  private bytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Canonical {
    const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    return tagged('bytes', this.text(text));
  }

  private fields(value: object): Canonical {
    const fields: Record<string, Canonical> = {};
    for (const key of Object.keys(value).sort())
      fields[this.text(key)] = this.of((value as Record<string, unknown>)[key]);
    const name = classOf(value);
    return name === null ? fields : { ...fields, [`${TAG}class`]: name };
  }
}

/** null: of none in particular. */
function classOf(value: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || typeof prototype !== 'object') return null;
  const { constructor: made } = prototype as { constructor?: unknown };
  // Plain objects of another realm have another `Object`.
  return typeof made !== 'function' || made.name === 'Object' ? null : made.name;
}

/** For people, in one line. */
export function shown(value: Canonical): string {
  if (value === null || typeof value !== 'object')
    return typeof value === 'string' ? quoted(value) : told(value);
  if (isList(value)) return `[${value.map(shown).join(', ')}]`;
  const [key, inner] = tagOf(value) ?? [null, null];
  if (key === null) return shownFields(value);
  switch (key) {
    case 'class': {
      const { [`${TAG}class`]: name, ...fields } = value;
      return `${String(name)} ${shownFields(fields)}`;
    }
    case 'map':
    case 'set':
      return `${key === 'map' ? 'Map' : 'Set'} ${shown(inner)}`;
    case 'date':
      return dateOf(Number(inner));
    case 'bigint':
      return `${String(inner)}n`;
    case 'bytes':
      return `bytes ${quoted(String(inner))}`;
    case 'error':
      return shownError(inner);
    case 'rejects':
    case 'unreadable':
      return `${key} with ${shownError(inner)}`;
    case 'function':
      return `[function ${String(inner)}]`;
    default:
      return inner === true ? key : `[${key} ${shown(inner)}]`;
  }
}

/** An error as {@link canonicalError} gives it. */
export function shownError(error: Canonical): string {
  if (error === null || typeof error !== 'object' || isList(error)) return shown(error);
  const { code, message, name, thrown } = error;
  if (code !== undefined) return String(code);
  return thrown !== undefined ? shown(thrown) : `${String(name)}: ${String(message)}`;
}

export const isList = (value: Canonical): value is readonly Canonical[] => Array.isArray(value);

function tagOf(value: { readonly [key: string]: Canonical }): [string, Canonical] | null {
  const key = Object.keys(value).find((each) => each.startsWith(TAG));
  return key === undefined ? null : [key.slice(TAG.length), value[key]!];
}

const dateOf = (ms: number): string => (Number.isNaN(ms) ? 'Invalid Date' : new Date(ms).toISOString());
const quoted = (text: string): string => JSON.stringify(text);
const told = (value: null | boolean | number): string => (Object.is(value, -0) ? '-0' : String(value));

function shownFields(value: { readonly [key: string]: Canonical }): string {
  const fields = Object.entries(value).map(([key, each]) =>
    key === LEFT_OUT ? key : `${nameOf(key)}: ${shown(each)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** A property, or a call that was looked at. */
const nameOf = (key: string): string => (/^[A-Za-z_$][\w$]*(?:\(.*\))?$/.test(key) ? key : quoted(key));
