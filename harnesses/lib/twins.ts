import { type Expectation, type HarnessSpec, harness, type SetupContext } from '../api.ts';

/** Two harnesses that differ in their state only: a program with a race and the same program without. */
export interface Twins<S> extends Pick<HarnessSpec<S>, 'name' | 'tasks' | 'check'> {
  readonly bad: (context: SetupContext) => S | Promise<S>;
  readonly ok: (context: SetupContext) => S | Promise<S>;
  /** What is to be found in the bad one. */
  readonly expect: Omit<Expectation, 'bug'>;
}

/** Registers `<name>/bad` and `<name>/ok`. */
export function twins<S>({ name, tasks, check, bad, ok, expect }: Twins<S>): void {
  harness({ name: `${name}/bad`, setup: bad, tasks, check, expect: { bug: true, ...expect } });
  harness({ name: `${name}/ok`, setup: ok, tasks, check, expect: { bug: false } });
}
