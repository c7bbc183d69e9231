/**
 * Whole files in one trip through the thread pool. From Node 26 on `readFile`, `writeFile` and `cp` hand the pool a
 * job (open, stat, read or write, close) instead of one request after the other.
 */
import { replaceMethod } from '../replace.ts';
import { type Asked, watchAsked } from './fs-asked.ts';
import { takeStep } from './fs-call.ts';
import type { FsHost } from './fs-host.ts';
import { opened, pathOf } from './fs-paths.ts';
import { accessesOf, callBack, issueFs } from './fs-request.ts';
import { FS_SYNC_TABLE, type FsOutcome, type FsRow } from './fs-table.ts';
import { WholeFile } from './fs-whole.ts';
import type { HostAccess } from './request.ts';

interface FsJob {
  ondone: ((...answer: unknown[]) => void) | undefined;
  run(path?: unknown): unknown;
}
type Asks = (job: FsJob) => Asked | null;

/** Rows by the class of the job. */
export const FS_JOBS: Readonly<Record<string, FsRow>> = {
  ReadFileJob: { ...FS_SYNC_TABLE['readFileUtf8']!, api: 'fs.readFile' },
  WriteFileJob: { ...FS_SYNC_TABLE['writeFileUtf8']!, api: 'fs.writeFile' },
  CpDirJob: { api: 'fs.cp', about: [], touches: () => {} },
};

/** Wraps the jobs that this Node has. */
export function wrapJobs(host: FsHost): void {
  for (const [name, row] of Object.entries(FS_JOBS)) {
    const { prototype } = (host.binding[name] as { prototype?: FsJob } | undefined) ?? {};
    if (typeof prototype?.run !== 'function') continue;
    const isFile = name === 'ReadFileJob' || name === 'WriteFileJob';
    wrapRun(host, prototype, row, isFile ? watchAsked(host, name) : () => null);
  }
}

function wrapRun(host: FsHost, prototype: FsJob, row: FsRow, asks: Asks): void {
  const { controller } = host;
  const { run } = prototype;
  replaceMethod(prototype, 'run', function (this: FsJob, path?: unknown) {
    if (!controller.active(row.api)) return run.call(this, path);
    const { ondone } = this;
    const context = host.capture();
    const asked = asks(this);
    const whole = asked && new WholeFile(host.times, path as string | Buffer, asked);
    let answer: readonly unknown[] = [];
    let touched: readonly HostAccess[] = [];
    const natively = (done: () => void): void => {
      const existed = path !== undefined && host.raw['existsSync']!.call(host.binding, path) === true;
      const arrived = (...values: unknown[]) => {
        answer = values.map(host.keep);
        const outcome: FsOutcome = { failed: Boolean(values[0]), existed, value: undefined };
        if (!outcome.failed) row.stamps?.(host.times, [path], outcome);
        touched = accessesOf(row, [path], outcome);
        // What is too long for one trip comes back open.
        if (typeof values[2] === 'number' && values[2] >= 0) opened(values[2], pathOf(path));
        done();
      };
      this.ondone = arrived;
      const refused = run.call(this, path);
      if (refused !== undefined) arrived(refused);
    };
    issueFs(controller, row, [path], {
      effects: whole ? 2 : 1,
      inCall: whole !== null && !controller.usesPool,
      effect(done) {
        if (!whole) natively(() => done(true));
        else
          takeStep(host, () => {
            const step = whole.step();
            ({ answer, touched } = whole);
            if (step === 'native') natively(() => done(true));
            else done(step === 'over');
          });
      },
      deliver: (request) =>
        callBack(controller, request, context, () => {
          this.ondone = ondone;
          ondone?.apply(this, [...answer]);
        }),
      accesses: () => touched,
    });
    return undefined;
  });
}
