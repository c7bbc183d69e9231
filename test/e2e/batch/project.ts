/** A project that uses nothing but `node:test`: 10 or 20 files, five test cases in each, 5 seeded atomicity violations. */
import { FILES } from './files.ts';
import { SOURCES } from './sources.ts';

/** What a report on the project must say. */
export interface Expected {
  /** Ids of the tests that run, hooks and skipped ones not counted. */
  readonly cases: readonly string[];
  /** Test → entity of its violation. */
  readonly bugs: ReadonlyMap<string, RegExp>;
}

function expected(): Expected {
  const cases: string[] = [];
  const bugs = new Map<string, RegExp>();
  for (const { name, tests, seeded } of FILES) {
    const file = `test/${name}.test.js`;
    const seen = new Map<string, number>();
    for (const test of tests) {
      const nth = (seen.get(test) ?? 0) + 1;
      seen.set(test, nth);
      cases.push(`${file}:${test}${nth === 1 ? '' : ` (${nth})`}`);
    }
    if (seeded) bugs.set(`${file}:${seeded.test}`, seeded.entity);
  }
  return { cases, bugs };
}

export const EXPECTED: Expected = expected();

/** The project as texts by path. */
export function projectFiles(): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(SOURCES).map(([name, text]) => [`src/${name}`, text])),
    ...Object.fromEntries(FILES.map(({ name, text }) => [`test/${name}.test.js`, text])),
  };
}
