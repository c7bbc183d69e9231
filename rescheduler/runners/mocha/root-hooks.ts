/** Hooks of the root suite, which are for the tests of all files, by the file that has registered them. */
import type { MochaClass, MochaSuite } from './api.ts';

const LISTS = ['_beforeAll', '_beforeEach', '_afterEach', '_afterAll'] as const;
type Lists = Record<(typeof LISTS)[number], object[]>;

const listsOf = (root: MochaSuite): Lists => root as MochaSuite & Lists;

/** Hooks by file, filled while Mocha loads its files. */
export type RootHooks = ReadonlyMap<string, ReadonlySet<object>>;

/** Notes from now on which file registers which hooks. Mocha tells a suite of the files that are loaded into it. */
export function noteRootHooks({ prototype }: MochaClass): RootHooks {
  const hooks = new Map<string, Set<object>>();
  const { ui } = prototype;
  prototype.ui = function (...args) {
    const result = ui.apply(this, args);
    const { suite: root } = this;
    const all = (): object[] => LISTS.flatMap((name) => listsOf(root)[name]);
    let before = new Set<object>();
    root.on('pre-require', () => {
      before = new Set(all());
    });
    root.on('post-require', (_, file) => {
      // Later it is loaded again for each run.
      if (!hooks.has(file)) hooks.set(file, new Set(all().filter((hook) => !before.has(hook))));
    });
    return result;
  };
  return hooks;
}

/** Takes all tests out of the root, and these hooks; what is called in the end puts back what it had. */
export function empty(root: MochaSuite, without: ReadonlySet<object> = new Set()): () => void {
  const { tests, suites } = root;
  const lists = listsOf(root);
  const hooks = LISTS.map((name) => lists[name]);
  root.tests = [];
  root.suites = [];
  for (const name of LISTS) lists[name] = lists[name].filter((hook) => !without.has(hook));
  return () => {
    root.tests = tests;
    root.suites = suites;
    LISTS.forEach((name, i) => {
      lists[name] = hooks[i]!;
    });
  };
}
