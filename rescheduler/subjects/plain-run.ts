/**
 * One run on plain Node: nothing is instrumented, recorded or gated. Where there is a plan its answers are late. The
 * failure is told in the words of gated runs, so that the two can be compared.
 */
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Failure, FailureKind, Outcome } from '../../data/run.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { isSelected } from '../../monitor/loader/select.ts';
import { stackPlace, writtenAt } from '../../monitor/record/call-site.ts';
import { DEADLOCK, failureOf } from '../failure.ts';
import { ErrorTrap } from '../gate/errors.ts';
import { Delays } from '../witness/delays.ts';
import { endSoon } from './end-soon.ts';
import { ExitTrap, ProcessExit } from './exit-trap.ts';
import { type ForceResult, type PlainJob, writeWhole } from './job.ts';
import { withoutAnswer } from './no-answer.ts';

export class PlainRun {
  private readonly out: string;
  private readonly delays: Delays | null;
  private readonly exits = new ExitTrap();
  private readonly started = performance.now();
  private told = false;
  private readonly errors = new ErrorTrap({
    owns: () => true,
    isOver: () => this.told,
    failed: (error, origin) => this.failed(error, origin === 'rejection' ? 'unhandled-rejection' : undefined),
  });

  constructor({ out, plan, config }: PlainJob) {
    this.out = out;
    this.delays = plan && new Delays(plan, callSites(config));
  }

  /** Runs `body`, then `check`; settles as they do. The first word on how it went is the result. */
  async judge<T>(body: () => T | Promise<T>, check: () => unknown = () => {}): Promise<T> {
    this.errors.set();
    this.exits.set();
    const left = (): void => this.tell('deadlock', DEADLOCK);
    process.once('exit', left);
    try {
      const main = async () => body();
      const whole = async () => {
        const value = await (this.delays ? this.delays.run(main) : main());
        await check();
        return value;
      };
      const value = await Promise.race([whole(), this.exits.exited]);
      const { left } = this.errors;
      if (left) this.failed(left.error, 'unhandled-rejection');
      this.tell('pass', null);
      return value;
    } catch (error) {
      this.failed(error);
      throw error;
    } finally {
      process.off('exit', left);
      this.exits.unset();
      this.errors.unset();
    }
  }

  private failed(error: unknown, kind?: FailureKind): void {
    if (error instanceof ProcessExit && error.exitCode === 0) this.tell('pass', null);
    else this.tell('fail', failureOf(error, kind));
  }

  private tell(outcome: Outcome, failure: Failure | null): void {
    if (this.told) return;
    this.told = true;
    const ms = performance.now() - this.started;
    const result = { ...withoutAnswer(outcome, failure ?? DEADLOCK, ms), failure };
    writeWhole(this.out, { result, trace: null } satisfies ForceResult);
    if (outcome !== 'pass') endSoon();
  }
}

/** Finds the line of the user that is running, as the monitor names it. */
function callSites(config: LoaderConfig): () => string | null {
  const known = new Map<string, string | null>();
  const userFile = (name: string): string | null => {
    let file = known.get(name);
    if (file === undefined) {
      const path = name.startsWith('file:') ? fileURLToPath(name.replace(/[?#].*$/, '')) : name;
      file = isAbsolute(path) && isSelected(path, config) ? relative(config.cwd, path) : null;
      known.set(name, file);
    }
    return file;
  };
  return () => {
    const place = stackPlace(userFile);
    if (place === null) return null;
    const { file, line } = writtenAt(place) ?? place;
    return `${file}:${line}`;
  };
}
