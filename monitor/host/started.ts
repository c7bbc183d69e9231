/** What a process is started with, as the bindings of Node are told. */
import { basename } from 'node:path';
import { scriptIn } from '../../data/node-options.ts';
import type { Handle } from './net/binding.ts';

interface Stdio {
  readonly type: string;
  readonly handle?: Handle;
}

export interface ChildOptions {
  readonly file: string;
  readonly stdio: readonly Stdio[];
  /** Arguments. */
  readonly given: readonly unknown[];
  /** Where it runs is one of these, where one is a folder: that is a string among others. */
  readonly folders: readonly string[];
  /** Its environment, `NAME=value` each; null: nobody knows where that is. */
  readonly pairs: string[] | null;
}

/** What a child runs, for people: of Node its script. Arguments are what the caller gives: anything. */
export function programOf(file: string, [, ...given]: readonly unknown[]): string {
  const program = basename(file, '.exe');
  if (program !== 'node' || !given.every((each) => typeof each === 'string')) return program;
  const script = scriptIn(given);
  return script === null ? program : `${program} ${basename(script)}`;
}

/** Older releases hand the options over as one object, newer ones one by one. */
export function readOptions(args: readonly unknown[]): ChildOptions {
  const [first] = args as [
    | string
    | (Pick<ChildOptions, 'file'> &
        Partial<ChildOptions> & { args?: readonly string[]; cwd?: string; envPairs?: string[] }),
  ];
  if (typeof first === 'object')
    return {
      ...{ file: first.file, stdio: first.stdio ?? [], given: first.args ?? [] },
      ...{ pairs: first.envPairs ?? null, folders: first.cwd === undefined ? [] : [first.cwd] },
    };
  const isStdio = (arg: unknown) => Array.isArray(arg) && arg.some((s) => typeof s?.type === 'string');
  const [given, pairs] = args.filter((arg) => Array.isArray(arg) && typeof arg[0] === 'string');
  return {
    file: first,
    stdio: (args.find(isStdio) ?? []) as readonly Stdio[],
    given: (given ?? []) as readonly unknown[],
    pairs: (pairs ?? null) as string[] | null,
    folders: args.slice(1).filter((arg) => typeof arg === 'string'),
  };
}
