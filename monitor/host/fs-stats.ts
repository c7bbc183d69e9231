/**
 * C13: most programs that stat a file want its size or its kind. Only a program that reads a time is told that time:
 * until then the moment behind it stays as open as it was. Into the fields that Node makes a `Stats` object of goes a
 * number that stands for the time; where Node assigns it, the object gets a property that asks when it is read.
 */
import fs from 'node:fs';
import { type InspectOptions, inspect } from 'node:util';

/** Node makes a `Stats` object of numbers, a `BigIntStats` object of bigints. */
export type StatFields = Float64Array | BigInt64Array;

/** A time as the kernel has it: in whole seconds, and nanoseconds besides. */
interface TimeSpec {
  readonly seconds: number;
  readonly rest: number;
}
type Ask = () => TimeSpec;

/** Seconds of the first number that stands for a time: nobody means the year 5138. */
const FIRST = 1e11;
/** The properties for times, by the parts of their names; how many of each unit make a second. */
const TIMES = ['atime', 'mtime', 'ctime', 'birthtime'];
const UNITS = { Ms: 1e3, Ns: 1e9 };
/** Newer releases keep nanoseconds under symbols, behind the milliseconds. */
const NANOSECONDS = /partial([AMC]|Birth)timeNs$/i;

export class UnreadTimes {
  private times: Ask[] = [];
  private readonly asks = new WeakMap<Function, Ask>();
  /** This Node assigns the times, so that they can be told later. */
  private readonly assigns: boolean;

  constructor() {
    const whole = this.watch(true);
    this.assigns = this.watch(false) && whole;
  }

  /** Puts a time at a place of the fields; `tell` gives it, in ms of the epoch, when the program reads it. */
  put(fields: StatFields, at: number, tell: () => number): void {
    let told: TimeSpec | null = null;
    const ask = () => (told ??= specOf(tell()));
    const { seconds, rest } = this.assigns ? { seconds: FIRST + this.times.push(ask) - 1, rest: 0 } : ask();
    fields[at] = fields instanceof BigInt64Array ? BigInt(seconds) : seconds;
    fields[at + 1] = fields instanceof BigInt64Array ? BigInt(rest) : rest;
  }

  /** No object will be made any more of the fields that were filled so far. */
  forget(): void {
    this.times = [];
  }

  /** Watches what Node assigns to one kind of objects; false where it does not. */
  private watch(bigint: boolean): boolean {
    const present = stats(bigint);
    const prototype = Object.getPrototypeOf(present) as object;
    let seen = false;
    for (const time of TIMES)
      for (const [unit, perSecond] of Object.entries(UNITS))
        intercept(prototype, time + unit, (value) => {
          seen = true;
          const ask = this.times[Math.floor(Number(value) / perSecond) - FIRST];
          return ask && this.keep(ask, () => (bigint ? wholeOf(ask(), perSecond) : msOf(ask())));
        });
    for (const symbol of Object.getOwnPropertySymbols(present)) {
      const [, time] = NANOSECONDS.exec(symbol.description ?? '') ?? [];
      if (!time) continue;
      const ms = `${time.toLowerCase()}timeMs`;
      intercept(prototype, symbol, (_, object) => {
        const get = Object.getOwnPropertyDescriptor(object, ms)?.get;
        const ask = get && this.asks.get(get);
        return ask && (() => ask().rest);
      });
    }
    stats(bigint);
    Object.defineProperty(prototype, inspect.custom, { configurable: true, writable: true, value: show });
    return seen;
  }

  private keep<Get extends Function>(ask: Ask, get: Get): Get {
    this.asks.set(get, ask);
    return get;
  }
}

/** Where `look` finds a getter for what is assigned, the object gets it; else what is assigned. */
function intercept(
  prototype: object,
  name: string | symbol,
  look: (value: unknown, object: object) => (() => unknown) | undefined,
): void {
  const assign = (object: object, value: unknown): void => {
    Object.defineProperty(object, name, { value, ...ORDINARY, writable: true });
  };
  Object.defineProperty(prototype, name, {
    configurable: true,
    set(this: object, value: unknown) {
      const get = look(value, this);
      if (!get) assign(this, value);
      else Object.defineProperty(this, name, { get, set: (other) => assign(this, other), ...ORDINARY });
    },
  });
}
const ORDINARY = { enumerable: true, configurable: true };

/** Who prints an object reads its times: as Node shows it, there are no getters. */
function show(this: object, depth: number, options: InspectOptions): string {
  const read: object = Object.assign(Object.create(Object.getPrototypeOf(this)), this);
  return inspect(read, { ...options, depth, customInspect: false });
}

/** Of a file that we may read whatever the program may. */
const stats = (bigint: boolean): object => fs.statSync(import.meta.filename, { bigint }) as object;

function specOf(ms: number): TimeSpec {
  const seconds = Math.floor(ms / 1e3);
  return { seconds, rest: Math.round((ms - seconds * 1e3) * 1e6) };
}

const msOf = ({ seconds, rest }: TimeSpec): number => seconds * 1e3 + rest / 1e6;

const wholeOf = ({ seconds, rest }: TimeSpec, perSecond: number): bigint =>
  (BigInt(seconds) * 1_000_000_000n + BigInt(rest)) / BigInt(1e9 / perSecond);
