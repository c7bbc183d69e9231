/** How `test`, `it`, `describe` and their like are called. */
import { fileURLToPath } from 'node:url';

/** Stands for values and functions of the user, of any shape. */
export type Any = any;
export type TestFunction = (...args: Any[]) => Any;

export interface TestArguments {
  readonly name: string;
  readonly options: Any;
  readonly fn: TestFunction | undefined;
}

/** The three ways to call: (fn), (options, fn), (name, options, fn), and what is left out of them. */
export function parseArguments(args: Any[]): TestArguments {
  let [name, options, fn] = args;
  if (typeof name === 'function') [name, options, fn] = [undefined, undefined, name];
  else if (name !== null && typeof name === 'object') [name, options, fn] = [undefined, name, options];
  else if (typeof options === 'function') [options, fn] = [undefined, options];
  return { name: typeof name === 'string' && name !== '' ? name : fn?.name || '<anonymous>', options, fn };
}

/** The path of a script as call sites name it. */
export const pathOf = (scriptName: string): string =>
  scriptName.startsWith('file:') ? fileURLToPath(scriptName.replace(/[?#].*$/, '')) : scriptName;
