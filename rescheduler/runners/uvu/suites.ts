/** The suites of uvu as they hand over their tests. */
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import type { CaseId } from '../../subjects/job.ts';
import type { BodyRunner, RunningCase } from '../adapter.ts';
import { Identities, sameCase } from '../identity.ts';
import { MODULE } from './module.ts';

interface UvuTest {
  readonly name: string;
  readonly handler: (state: unknown) => unknown;
}

/** What a suite is run from, once. */
interface UvuContext {
  tests: UvuTest[];
  /** Where there are some, only these are run. */
  only: UvuTest[];
  before: unknown[];
  after: unknown[];
}

/** It has no time-out, and who skips a test does not hand it over. */
const RUNNING: RunningCase = { isOver: () => false, isTodo: () => false, isSkipped: () => false };

export class Suites {
  hasTests = false;
  hasFailed = false;
  private readonly bodies: BodyRunner;
  private readonly target: CaseId | null;
  private readonly identities = new Identities();

  /** `target`: the only case that is run; null: all are. */
  constructor(bodies: BodyRunner, target: CaseId | null) {
    this.bodies = bodies;
    this.target = target;
  }

  /** The user's file has called `run` of a suite. */
  take(context: UvuContext, suite: string): void {
    const file = callingFile();
    const of = suite === '' ? undefined : this.identities.fullName(suite);
    const take = (tests: readonly UvuTest[]): UvuTest[] =>
      tests.flatMap(({ name, handler }) => {
        const id = this.identities.register(file, this.identities.fullName(name, of));
        if (this.target && !sameCase(id, this.target)) return [];
        const run = (state: unknown): Promise<unknown> =>
          this.bodies
            .run(id, () => handler(state), RUNNING)
            .catch((error: unknown) => {
              this.hasFailed = true;
              throw error;
            });
        return [{ name, handler: run }];
      });
    context.tests = take(context.tests);
    context.only = take(context.only);
    const isEmpty = context.tests.length + context.only.length === 0;
    this.hasTests ||= !isEmpty;
    if (!this.target || !isEmpty) return;
    context.before = [];
    context.after = [];
  }
}

/** The file of the user's that called into uvu: ours, and the suite, are what is above it. */
function callingFile(): string {
  const names = getCallSites(50).map(({ scriptName }) => scriptName);
  const suite = names.findIndex((name) => MODULE.test(name));
  const file = names[suite + 1] || process.argv[1] || '';
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}
