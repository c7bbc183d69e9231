/** Which test runner a project has: what its test script calls, else what it has installed. */
import { RUNNERS, type RunnerTable } from '../../data/runners.ts';
import { type Manifest, needs } from './manifest.ts';

interface ProjectRunner {
  /** As people call it. */
  readonly title: string;
  /** Its package. */
  readonly name: string;
  readonly called: RegExp;
  /** What its tests are to us where they are no subjects of their own. */
  readonly remark?: string;
  /** Nothing of them is seen. */
  readonly isUnseen?: true;
}

const OTHERS: readonly ProjectRunner[] = [
  {
    ...{ title: 'AVA', name: 'ava', called: /\bava\b/, isUnseen: true },
    remark:
      'what AVA runs is not seen: write harness files (docs/harnesses.md), or tests of node:test, for what may race',
  },
  {
    ...{ title: 'tape', name: 'tape', called: /\btape\b/ },
    remark: 'what one command of tape runs is one subject, as a whole',
  },
];

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
export function runnerOf(manifest: Manifest, table: RunnerTable = RUNNERS): ProjectRunner | null {
  const rows = Object.entries(table).map(([name, row]) => ({ name, ...row }));
  const known: readonly ProjectRunner[] = [
    ...rows.filter(({ command }) => command !== null),
    ...OTHERS,
    ...rows.filter(({ command }) => command === null),
  ];
  const script = withCalled(manifest.scripts, 'test');
  const called = known.find((runner) => runner.called.test(script));
  return called ?? known.find(({ name }) => needs(manifest, name)) ?? null;
}
