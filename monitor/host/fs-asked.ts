/**
 * How a program asked for a whole file. A job does not tell what it was made of: its promise form is made by a class that
 * Node looks up in the binding, its callback form within a call that was given all that is needed.
 */
import fs from 'node:fs';
import { wrapMethod } from '../replace.ts';
import { builtinExports } from './builtins.ts';
import type { FsHost } from './fs-host.ts';

export interface Asked {
  readonly flags: number;
  /** Of a file that is made. */
  readonly mode: string | number;
  /** Bytes to be written; null: the file is read. */
  readonly data: Buffer | null;
  /** Bytes; what is longer is not read in one trip. */
  readonly limit: number;
}

/** What Node's own modules for files share. */
interface Utils {
  stringToFlags(flag: unknown): number;
  readonly kReadFileBufferLength: number;
}

interface FileOptions {
  readonly flag?: string | number;
  readonly mode?: string | number;
  readonly encoding?: BufferEncoding;
}

type JobClass = new (path: unknown, flags: number, ...args: unknown[]) => object;

/** Node's default. */
const MODE = 0o666;

/** Watches how jobs of one class are made, from now on; the answer is null for one of which that was not seen. */
export function watchAsked(
  { binding, controller }: FsHost,
  name: 'ReadFileJob' | 'WriteFileJob',
): (job: object) => Asked | null {
  const utils = builtinExports('internal/fs/utils') as Utils | undefined;
  if (typeof utils?.stringToFlags !== 'function') return () => null;
  const limit = utils.kReadFileBufferLength;
  const made = new WeakMap<object, Asked>();
  let within: (() => Asked) | null = null;

  const reading = (flags: number): Asked => ({ flags, mode: MODE, data: null, limit });
  const writing = (flags: number, mode: string | number, data: unknown): Asked => ({
    ...{ flags, mode, data: bytesOf(data), limit },
  });
  const isReading = name === 'ReadFileJob';
  const Native = binding[name] as JobClass;
  binding[name] = class extends Native {
    static override readonly name = name;
    constructor(path: unknown, flags: number, ...args: unknown[]) {
      super(path, flags, ...args);
      made.set(this, isReading ? reading(flags) : writing(flags, args[0] as number, args[1]));
    }
  };

  const called = (args: readonly unknown[]): Asked => {
    const { flag, mode, encoding } = optionsOf(args[isReading ? 1 : 2]);
    if (isReading) return reading(utils.stringToFlags(flag ?? 'r'));
    const [, data] = args;
    const bytes = typeof data === 'string' ? Buffer.from(data, encoding || 'utf8') : data;
    return writing(utils.stringToFlags(flag || 'w'), mode ?? MODE, bytes);
  };
  const wrap = (native: (...args: any[]) => unknown) =>
    function (this: unknown, ...args: any[]) {
      if (!controller.active()) return native.apply(this, args);
      const before = within;
      within = () => called(args);
      try {
        return native.apply(this, args);
      } finally {
        within = before;
      }
    };
  wrapMethod(fs, isReading ? 'readFile' : 'writeFile', wrap);
  return (job) => made.get(job) ?? within?.() ?? null;
}

const optionsOf = (options: unknown): FileOptions => {
  if (typeof options === 'string') return { encoding: options as BufferEncoding };
  return typeof options === 'object' && options !== null ? options : {};
};

const bytesOf = (data: unknown): Buffer => {
  const { buffer, byteOffset, byteLength } = data as NodeJS.ArrayBufferView;
  return Buffer.from(buffer, byteOffset, byteLength);
};
