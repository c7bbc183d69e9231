/**
 * Processes of the user's sources that are there before a run begins: a hook has started them, a module, or an earlier test. A server
 * that all tests of a file talk to is one.
 */
interface ProcessHandle {
  onexit(this: ProcessHandle, ...values: unknown[]): unknown;
}

export class LastingChildren {
  /** Those that are alive, and the source that each runs. */
  private readonly alive = new Map<ProcessHandle, string>();
  private found: readonly string[] = [];

  /** `program`: see {@link ChildRecord.program}. */
  begins(child: ProcessHandle, program: string | null): void {
    if (program === null) return;
    const { alive } = this;
    const { onexit } = child;
    alive.set(child, program);
    child.onexit = function (...values) {
      alive.delete(this);
      return onexit.apply(this, values);
    };
  }

  /** A run begins: what it starts itself does not count. */
  surround(): void {
    this.found = [...new Set(this.alive.values())].sort();
  }

  /** What those run that were there before the run. */
  programs(): readonly string[] {
    return this.found;
  }
}
