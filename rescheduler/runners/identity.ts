/**
 * Which test case is which. Known at registration, before anything runs, from the suites around it; so that
 * a forced run can leave out all others without running their hooks.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CaseId } from '../subjects/job.ts';
import { stableName } from '../subjects/stable-name.ts';

const SEPARATOR = ' > ';

export class Identities {
  /** Full name of the suite whose function is running. */
  private readonly suite = new AsyncLocalStorage<string>();
  private readonly seen = new Map<string, number>();
  private readonly todos = new Set<string>();

  /** Full name of something registered now, under `parent` or else under the running suite. */
  fullName(given: string, parent?: string): string {
    const name = stableName(given);
    const around = parent ?? this.suite.getStore();
    return around === undefined ? name : around + SEPARATOR + name;
  }

  /** Runs the function of a suite. */
  inSuite<T>(fullName: string, fn: () => T): T {
    return this.suite.run(fullName, fn);
  }

  /** A test or suite is called a TODO: that it fails, or what is in it, is no failure to the runner. */
  todo(fullName: string): void {
    this.todos.add(fullName);
  }

  /** Whether a test, or something around it, was called a TODO. */
  isTodo(fullName: string): boolean {
    if (this.todos.size === 0) return false;
    const parts = fullName.split(SEPARATOR);
    return parts.some((_, i) => this.todos.has(parts.slice(0, i + 1).join(SEPARATOR)));
  }

  /** A test case is registered. */
  register(file: string, fullName: string): CaseId {
    const key = `${file}\0${fullName}`;
    const ordinal = this.seen.get(key) ?? 0;
    this.seen.set(key, ordinal + 1);
    return { file, name: fullName, ordinal };
  }
}

export const sameCase = (a: CaseId, b: CaseId): boolean =>
  stableName(a.file) === stableName(b.file) && a.name === b.name && a.ordinal === b.ordinal;

/** The test or suite has the target somewhere inside. */
export const contains = (fullName: string, target: CaseId): boolean =>
  target.name.startsWith(fullName + SEPARATOR);
