/**
 * `copyFile` is one request of the thread pool but several system calls, and another task may see the file
 * between them. Here it has three effects: open the source, open and empty the target, copy the bytes.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import type { Context } from './context.ts';
import { AccessList } from './fs-accesses.ts';
import { takeStep } from './fs-call.ts';
import type { FsHost, Settle } from './fs-host.ts';
import { pathOf } from './fs-paths.ts';
import { callBack, issueFs } from './fs-request.ts';
import type { FsRow } from './fs-table.ts';
import type { FileTimes } from './fs-times.ts';
import type { HostAccess } from './request.ts';

const CHUNK = 1 << 16;

/** Issues the copy; `settle` is called in the turn that delivers it. */
export function copyFile(
  host: FsHost,
  row: FsRow,
  args: readonly unknown[],
  context: Context | null,
  settle: Settle,
): void {
  const { controller, times } = host;
  const copy = new Copy(times, pathOf(args[0]), pathOf(args[1]), Number(args[2]));
  issueFs(controller, row, args, {
    effects: 3,
    effect: (done) => takeStep(host, () => done(copy.step())),
    deliver: (request) => {
      const answer = () => (copy.error ? settle(copy.error) : settle(null));
      if (context) callBack(controller, request, context, answer);
      else controller.frames.runAs(null, answer);
    },
    accesses: () => copy.touched,
  });
}

/** The steps of libuv's copy. */
class Copy {
  readonly source: string;
  readonly target: string;
  error: unknown = null;
  /** What the latest step touched. */
  touched: readonly HostAccess[] = [];
  private readonly times: FileTimes;
  private readonly exclusive: boolean;
  private from = -1;
  private to = -1;
  private mode = 0;
  private created = false;
  private at = 0;

  constructor(times: FileTimes, source: string, target: string, flags: number) {
    this.times = times;
    this.source = source;
    this.target = target;
    this.exclusive = (flags & constants.COPYFILE_EXCL) !== 0;
  }

  /** Does the next step; true when the copy is over. */
  step(): boolean {
    const list = new AccessList();
    let over = false;
    try {
      if (this.at === 0) this.openSource(list);
      else if (this.at === 1) over = this.openTarget(list);
      else this.copyBytes(list);
      this.at += 1;
    } catch (error) {
      this.fail(error as NodeJS.ErrnoException);
      over = true;
    }
    this.touched = this.error && !this.created ? list.seen() : list.list;
    if (over || this.at === 3) {
      this.close();
      return true;
    }
    return false;
  }

  private openSource(list: AccessList): void {
    list.look(this.source);
    this.from = openSync(this.source, constants.O_RDONLY);
    list.read(this.source);
  }

  /** True when source and target are one file: libuv then leaves it alone. */
  private openTarget(list: AccessList): boolean {
    const source = fstatSync(this.from);
    this.mode = source.mode;
    const before = existing(this.target);
    if (before && !this.exclusive) list.look(this.target);
    else list.entry(this.target);
    const flags = constants.O_WRONLY | constants.O_CREAT | (this.exclusive ? constants.O_EXCL : 0);
    this.to = openSync(this.target, flags, this.mode & 0o777);
    this.created = true;
    const target = fstatSync(this.to);
    if (target.ino === source.ino && target.dev === source.dev) {
      this.created = false;
      return true;
    }
    ftruncateSync(this.to, 0);
    fchmodSync(this.to, this.mode & 0o7777);
    list.write(this.target);
    if (before) this.times.wrote(this.to);
    else this.times.made(this.target);
    return false;
  }

  private copyBytes(list: AccessList): void {
    list.read(this.source).write(this.target);
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (let n = readSync(this.from, buffer); n > 0; n = readSync(this.from, buffer))
      for (let done = 0; done < n; ) done += writeSync(this.to, buffer, done, n - done);
    this.times.read(this.from);
    this.times.wrote(this.to);
  }

  private fail(error: NodeJS.ErrnoException): void {
    error.message = error.message.replace(
      /, \w+( '.*')?$/,
      `, copyfile '${this.source}' -> '${this.target}'`,
    );
    error.syscall = 'copyfile';
    error.path = this.source;
    (error as { dest?: string }).dest = this.target;
    this.error = error;
    if (this.created) attempt(() => unlinkSync(this.target));
  }

  private close(): void {
    for (const fd of [this.from, this.to]) if (fd >= 0) attempt(() => closeSync(fd));
  }
}

function existing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function attempt(fn: () => void): void {
  try {
    fn();
  } catch {
    // The kernel's copy ignores it too.
  }
}
