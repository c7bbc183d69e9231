/** What `unweave explain` takes for granted where its user says nothing: one test, a longer search, a store of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DEFAULT_STORE } from '../data/store/index.ts';
import type { WantedCase } from './case.ts';
import type { Flags, Target } from './options.ts';
import { testScriptOf } from './project/test-script.ts';

/** A run of the whole suite keeps what it has found. */
const STORE = join(dirname(DEFAULT_STORE), 'explain.db');

export const PATIENT: Flags = { thorough: true, store: STORE, maxSchedules: 5000, maxTime: 300, times: 10 };

/** Whoever asks about one test wants to know of whatever makes it fail. */
export const EVERY_LIST = ['timing', 'conditional'] as const;

const HARNESS = /\bharness\s*\(/;

/** The command that was given, the file itself where it is a harness, or else the test script. */
export function explainTarget({ file }: WantedCase, command: readonly string[] | null, cwd: string): Target {
  if (command !== null) return { kind: 'command', argv: [...command] };
  const path = file === null ? null : resolve(cwd, file);
  if (file !== null && path !== null && existsSync(path) && HARNESS.test(readFileSync(path, 'utf8')))
    return { kind: 'harness', paths: [file] };
  return { kind: 'command', argv: [...testScriptOf(cwd).argv] };
}
