/** Projects of one command: a file that is in several has its tests in each. */
import type { TestContext, TestFile } from './api.ts';

/** The projects of files, in an order that is the same in each run; Jest before 30 tells none, and finds files as it can. */
export const contextsOf = (files: readonly TestFile[]): TestContext[] =>
  files.map(({ context }) => context).sort((a, b) => Number(idOf(a) > idOf(b)) - Number(idOf(a) < idOf(b)));

const idOf = ({ config: { id, rootDir } }: TestContext): string => id ?? rootDir;

/** What stands in front of the names of a project's tests: its name, or its place where that does not tell it. */
export function labelsOf(contexts: readonly TestContext[]): ReadonlyMap<TestContext, string> {
  const all = [...new Set(contexts)];
  const names = all.map(({ config }) => config.displayName?.name ?? '');
  const labels = new Map<TestContext, string>();
  all.forEach((context, i) => {
    const isOnly = names.filter((name) => name === names[i]).length === 1;
    if (names[i] && isOnly) labels.set(context, `|${names[i]}|`);
    else if (all.length > 1) labels.set(context, `|${i + 1}|`);
  });
  return labels;
}

/** Whether a test of this full name is of the project of this label. */
export const isOfProject = (fullName: string, label: string | undefined): boolean =>
  label === undefined || fullName === label || fullName.startsWith(`${label} > `);
