/**
 * Collects what a test file registers, for running one of its cases again without the real runner: the
 * suites and hooks around it, in the runner's order. Everything that only the runner itself can do is
 * refused, and the case is then run in real processes.
 */
import { getCallSites } from 'node:util';
import { isOurScript } from '../../../monitor/loader/select.ts';
import type { CaseId } from '../../subjects/job.ts';
import { cleans } from '../cleaning.ts';
import { contains, Identities, sameCase } from '../identity.ts';
import { NeedsRunner } from '../warm-file.ts';
import { type Any, parseArguments, pathOf, type TestFunction } from './arguments.ts';

export const HOOKS = ['before', 'after', 'beforeEach', 'afterEach'] as const;
export type HookName = (typeof HOOKS)[number];

/** A file, a suite, or a test with subtests: what hooks belong to. */
export class Scope {
  readonly fullName: string | null;
  readonly parent: Scope | null;
  private readonly own: Record<HookName, TestFunction[]> = {
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
  };

  constructor(fullName: string | null, parent: Scope | null) {
    this.fullName = fullName;
    this.parent = parent;
  }

  hook(name: HookName, fn: TestFunction): void {
    if (name.startsWith('after')) cleans();
    this.own[name].push(fn);
  }

  /** The hooks that run at this scope; those for each test are inherited, the outermost first in, last out. */
  hooks(name: HookName): readonly TestFunction[] {
    const own = this.own[name];
    if (!this.parent || name === 'before' || name === 'after') return own;
    const inherited = this.parent.hooks(name);
    return name === 'beforeEach' ? [...inherited, ...own] : [...own, ...inherited];
  }
}

export interface FoundTest {
  readonly id: CaseId;
  readonly fn: TestFunction;
  readonly scope: Scope;
  readonly skipped: boolean;
}

/** What one evaluation of a test file registered. */
export class Collector {
  readonly identities = new Identities();
  readonly root = new Scope(null, null);
  /** The target, or the outermost test that has it inside. */
  found: FoundTest | null = null;
  /** Why the case cannot be run without the runner. */
  refused: NeedsRunner | null = null;
  readonly target: CaseId;
  private scope = this.root;

  constructor(target: CaseId) {
    this.target = target;
  }

  /** Registers a test in the running suite. */
  test(args: Any[]): void {
    const test = this.identify(args, this.scope);
    if (test && (sameCase(test.id, this.target) || contains(test.id.name, this.target))) this.found ??= test;
  }

  /** A test that is registered in `scope`; null where it has no body. */
  identify(args: Any[], scope: Scope): FoundTest | null {
    const { name, options, fn } = parseArguments(args);
    const fullName = this.identities.fullName(name, scope.fullName ?? undefined);
    if (typeof fn !== 'function') return null;
    return {
      skipped: Boolean(options?.skip),
      id: this.identities.register(callerFile(), fullName),
      fn,
      scope,
    };
  }

  /** Runs the function of a suite that has the target inside; passes over all others. */
  suite(args: Any[]): void {
    const { name, fn } = parseArguments(args);
    const outer = this.scope;
    const fullName = this.identities.fullName(name, outer.fullName ?? undefined);
    if (typeof fn !== 'function' || !contains(fullName, this.target)) return;
    this.scope = new Scope(fullName, outer);
    try {
      const returned = fn({
        name,
        fullName,
        filePath: this.target.file,
        signal: new AbortController().signal,
      });
      if (typeof returned?.then === 'function') this.refuse('an asynchronous suite');
    } catch (error) {
      this.refuse(`a suite that throws ${String(error)}`);
    } finally {
      this.scope = outer;
    }
  }

  /** Remembered, whatever the test does with the error. */
  refuse(what: string): NeedsRunner {
    this.refused ??= new NeedsRunner(`the file uses ${what}`);
    return this.refused;
  }

  hook(name: HookName, args: Any[]): void {
    if (typeof args[0] === 'function') this.scope.hook(name, args[0]);
  }
}

function callerFile(): string {
  return pathOf(getCallSites(8).find(({ scriptName }) => !isOurScript(scriptName))?.scriptName ?? '');
}
