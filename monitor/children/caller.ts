/** Whose code asks for something: where, or that it is Node itself, which loads modules. */
import { fileURLToPath } from 'node:url';
import { DRIVER_PACKAGES } from '../drivers/packages.ts';
import { isOurScript } from '../loader/select.ts';
import type { ChildPlace } from './protocol.ts';

/** So far up the stack it is looked for. */
const DEPTH = 40;
const FRAME = /^\s+at (?:(?:async )?(.*?) \()?(?:async )?(.+?):(\d+):(\d+)\)?$/;
const LOADS = /node:internal\/(?:modules|process\/(?:execution|esm_loader))/;

/** Drivers, which look for their native part when they are first used. */
const OF_DRIVER = new RegExp(`[\\\\/]node_modules[\\\\/](?:${DRIVER_PACKAGES.join('|')})[\\\\/]`);

/**
 * The place of the nearest code of the user's; null: there is none on the stack, nor awaits any. What a driver does with files is loading;
 * `throughDrivers`: what it is asked for by its caller.
 */
export function callerPlace(throughDrivers = false): ChildPlace | 'loader' | null {
  for (const line of ownStack().split('\n').slice(1)) {
    if (LOADS.test(line)) return 'loader';
    const [, name = '', script = '', at, column] = FRAME.exec(line) ?? [];
    if (script === '' || script.startsWith('node:') || isOurScript(script)) continue;
    if (OF_DRIVER.test(script)) {
      if (throughDrivers) continue;
      return 'loader';
    }
    const file = script.startsWith('file:') ? fileURLToPath(script) : script;
    return { file, line: Number(at), column: Number(column), fn: name };
  }
  return null;
}

/** As the engine tells it, whatever the program makes of stacks. */
function ownStack(): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = DEPTH;
  Object.assign(Error, { prepareStackTrace: undefined });
  try {
    return new Error().stack ?? '';
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
