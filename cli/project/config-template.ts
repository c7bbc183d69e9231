/** The configuration that `unweave init` writes: everything is there, and commented out with its default. */
import type { Config } from '../../data/config.ts';

/** What a newcomer may want to change first, and why. */
const KEYS: readonly (readonly [key: keyof Config, value: string, comment: string])[] = [
  ['instrument', '[]', "packages of node_modules, or globs, to look into besides the project's own sources"],
  ['exclude', '[]', "globs of files never to look into: 'src/generated/**'"],
  ['allowPeers', '[]', "servers in other processes that forced runs may talk to: '127.0.0.1:5432'"],
  ['deep', 'true', 'search each test further: up to 5000 forced orders and five minutes'],
  ['maxSchedules', '200', 'forced orders per test; given, all are used where some are left'],
  ['maxTimeMs', '60_000', 'time per test; given, all of it is used where orders are left'],
  ['totalTimeMs', '600_000', 'time for the whole run; without it there is no limit'],
  ['maxStallMs', '1000', 'the longest delay of an answer that an order may need'],
  [
    'baseline',
    "'unweave-known.json'",
    'file of known bugs, which do not count: unweave run --write-baseline',
  ],
  ['failOn', "['timing']", 'also count tests that only pass because a fixed time is long enough'],
  ['ignore', '[]', 'ids of bugs, or entities, that are not reported'],
];

/** `typed`: as TypeScript. Both are ECMAScript modules, whatever package.json says. */
export function configTemplate(typed: boolean): string {
  const lines = KEYS.flatMap(([key, value, comment]) => [`  // ${comment}`, `  // ${key}: ${value},`]);
  return [
    '// Configuration of Unweave. What is commented out may be changed; options of the command line come first.',
    '// All keys: node_modules/unweave/docs/configuration.md',
    ...(typed ? ["import type { UserConfig } from 'unweave/config';", ''] : []),
    ...(typed ? [] : ["/** @type {import('unweave/config').UserConfig} */"]),
    'export default {',
    ...lines,
    typed ? '} satisfies UserConfig;' : '};',
    '',
  ].join('\n');
}
