/**
 * Whole files in one trip through the thread pool. From Node 26 on `readFile`, `writeFile` and `cp` hand the pool a
 * job (open, stat, read or write, close) instead of one request after the other.
 */
import { replaceMethod } from '../replace.ts';
import { type Asked, watchAsked } from './fs-asked.ts';
import type { FsBinding } from './fs-binding.ts';
import { takeStep } from './fs-call.ts';
import type { FsHost } from './fs-host.ts';
import { opened, pathOf } from './fs-paths.ts';
import { accessesOf, callBack, issueFs } from './fs-request.ts';
import { FS_SYNC_TABLE, type FsOutcome, type FsRow } from './fs-table.ts';
import { COPIES_TREE, copiedBy, treeBelow, watchCopies } from './fs-tree.ts';
import { WholeFile } from './fs-whole.ts';
import type { HostAccess } from './request.ts';

export interface FsJob {
  ondone: ((...answer: unknown[]) => void) | undefined;
  run(path?: unknown): unknown;
}
type Asks = (job: FsJob) => Asked | null;

/** Rows by the class of the job. */
export const FS_JOBS: Readonly<Record<string, FsRow>> = {
  ReadFileJob: { ...FS_SYNC_TABLE['readFileUtf8']!, api: 'fs.readFile' },
  WriteFileJob: { ...FS_SYNC_TABLE['writeFileUtf8']!, api: 'fs.writeFile' },
  CpDirJob: COPIES_TREE,
};

/** The jobs that this Node has: on which prototype each is run. */
export function jobsOf(binding: FsBinding): { name: string; prototype: FsJob; row: FsRow }[] {
  return Object.entries(FS_JOBS).flatMap(([name, row]) => {
    const { prototype } = (binding[name] as { prototype?: FsJob } | undefined) ?? {};
    return typeof prototype?.run === 'function' ? [{ name, prototype, row }] : [];
  });
}

/** What a job is about; only that of a file is told as it is run. */
export const aboutJob = (job: FsJob, path: unknown): readonly unknown[] =>
  path === undefined ? copiedBy(job) : [path];

export const copiedTree = (job: FsJob, path: unknown): unknown =>
  path === undefined ? treeBelow(copiedBy(job)[0]) : undefined;

export function wrapJobs(host: FsHost): void {
  for (const { name, prototype, row } of jobsOf(host.binding)) {
    const isFile = name === 'ReadFileJob' || name === 'WriteFileJob';
    wrapRun(host, prototype, row, isFile ? watchAsked(host, name) : () => null);
  }
  watchCopies(host.binding);
}

function wrapRun(host: FsHost, prototype: FsJob, row: FsRow, asks: Asks): void {
  const { around, controller } = host;
  const { run } = prototype;
  replaceMethod(prototype, 'run', function (this: FsJob, path?: unknown) {
    if (!controller.active(row.api)) return around.callBack(this, 'ondone', () => run.call(this, path));
    const { ondone } = this;
    const context = host.capture();
    const about = aboutJob(this, path);
    const asked = asks(this);
    const whole = asked && new WholeFile(host.times, path as string | Buffer, asked);
    let answer: readonly unknown[] = [];
    let touched: readonly HostAccess[] = [];
    const natively = (done: () => void): void => {
      const existed = path !== undefined && host.raw['existsSync']!.call(host.binding, path) === true;
      const value = copiedTree(this, path);
      const arrived = (...values: unknown[]) => {
        answer = values.map(host.keep);
        const outcome: FsOutcome = { failed: Boolean(values[0]), existed, value };
        if (!outcome.failed) row.stamps?.(host.times, about, outcome);
        touched = accessesOf(row, about, outcome);
        // What is too long for one trip comes back open.
        if (typeof values[2] === 'number' && values[2] >= 0) opened(values[2], pathOf(path));
        done();
      };
      this.ondone = arrived;
      const refused = run.call(this, path);
      if (refused !== undefined) arrived(refused);
    };
    issueFs(controller, row, about, {
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
