/**
 * Whole files in one trip through the thread pool. From Node 26 on `readFile`, `writeFile` and `cp` hand the pool a
 * job (open, stat, read or write, close) instead of one request after the other: one request with one effect.
 */
import { replaceMethod } from '../replace.ts';
import type { FsHost } from './fs-host.ts';
import { opened, pathOf } from './fs-paths.ts';
import { accessesOf, callBack, issueFs } from './fs-request.ts';
import { FS_SYNC_TABLE, type FsOutcome, type FsRow } from './fs-table.ts';

interface Job {
  ondone: ((...answer: unknown[]) => void) | undefined;
  run(path?: unknown): unknown;
}

/** Rows by the class of the job. */
export const FS_JOBS: Readonly<Record<string, FsRow>> = {
  ReadFileJob: { ...FS_SYNC_TABLE['readFileUtf8']!, api: 'fs.readFile' },
  WriteFileJob: { ...FS_SYNC_TABLE['writeFileUtf8']!, api: 'fs.writeFile' },
  CpDirJob: { api: 'fs.cp', about: [], touches: () => {} },
};

/** Wraps the jobs that this Node has. */
export function wrapJobs(host: FsHost): void {
  for (const [name, row] of Object.entries(FS_JOBS)) {
    const { prototype } = (host.binding[name] as { prototype?: Job } | undefined) ?? {};
    if (typeof prototype?.run === 'function') wrapRun(host, prototype, row);
  }
}

function wrapRun(host: FsHost, prototype: Job, row: FsRow): void {
  const { controller } = host;
  const { run } = prototype;
  replaceMethod(prototype, 'run', function (this: Job, path?: unknown) {
    if (!controller.active(row.api)) return run.call(this, path);
    const { ondone } = this;
    const context = host.capture();
    let answer: readonly unknown[] = [];
    let outcome: FsOutcome = { failed: false, existed: false, value: undefined };
    issueFs(controller, row, [path], {
      effect: (done) => {
        const existed = path !== undefined && host.raw['existsSync']!.call(host.binding, path) === true;
        const arrived = (...values: unknown[]) => {
          answer = values.map(host.keep);
          outcome = { failed: Boolean(values[0]), existed, value: undefined };
          // A file that is too long for one trip comes back open.
          if (!outcome.failed) row.stamps?.(host.times, [path], outcome);
          if (typeof values[2] === 'number' && values[2] >= 0) opened(values[2], pathOf(path));
          done(true);
        };
        this.ondone = arrived;
        const refused = run.call(this, path);
        if (refused !== undefined) arrived(refused);
      },
      deliver: (request) =>
        callBack(controller, request, context, () => {
          this.ondone = ondone;
          ondone?.apply(this, [...answer]);
        }),
      accesses: () => accessesOf(row, [path], outcome),
    });
    return undefined;
  });
}
