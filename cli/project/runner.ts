/** Which test runner a project has: what its test script calls, else what it has installed. */
import type { RunnerName } from '../../data/runners.ts';
import { type Manifest, needs } from './manifest.ts';

/** Those whose cases are seen, and others that people have. */
export type ProjectRunner = RunnerName | 'ava' | 'tape';

const CALLS: readonly (readonly [runner: ProjectRunner, call: RegExp])[] = [
  ['vitest', /\bvitest\b/],
  ['jest', /\bjest\b/],
  ['mocha', /\bmocha\b/],
  ['uvu', /\buvu\b/],
  ['ava', /\bava\b/],
  ['tape', /\btape\b/],
  ['node-test', /\bnode\b[^&|;]*\s--test\b/],
];

export const NAME_OF: Readonly<Record<ProjectRunner, string>> = {
  'node-test': 'node:test',
  vitest: 'Vitest',
  jest: 'Jest',
  mocha: 'Mocha',
  uvu: 'uvu',
  ava: 'AVA',
  tape: 'tape',
};

/** Calls of other scripts: `npm run unit`, `yarn unit`. */
const CALLED = /\b(?:npm|pnpm|yarn)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/g;

/** A script with those that it calls. */
function withCalled(scripts: Manifest['scripts'], name: string, seen = new Set<string>()): string {
  const text = scripts[name];
  if (text === undefined || seen.has(name)) return '';
  seen.add(name);
  const called = [...text.matchAll(CALLED)].map(([, script]) => withCalled(scripts, script!, seen));
  return [text, ...called].join('\n');
}

/** null: none that is known. */
export function runnerOf(manifest: Manifest): ProjectRunner | null {
  const script = withCalled(manifest.scripts, 'test');
  const called = CALLS.find(([, call]) => call.test(script));
  return (called ?? CALLS.find(([runner]) => needs(manifest, runner)))?.[0] ?? null;
}
