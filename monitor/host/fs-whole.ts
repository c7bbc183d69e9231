/**
 * A whole file in one trip through the thread pool is one request but several system calls, and another task may see
 * or change the file between them. Here it has two effects: open (and inspect, or empty), then read or write.
 */

import { closeSync, fstatSync, openSync, readSync, type Stats, statSync, writeSync } from 'node:fs';
import { setStackDepth } from '../stack-depth.ts';
import { AccessList } from './fs-accesses.ts';
import type { Asked } from './fs-asked.ts';
import { opened, pathOf } from './fs-paths.ts';
import { accessesOf } from './fs-request.ts';
import { FS_TABLE } from './fs-table.ts';
import type { FileTimes } from './fs-times.ts';
import type { HostAccess } from './request.ts';

const OPEN = FS_TABLE['open']!;
/** Bytes that are read at once of what does not say how long it is. */
const CHUNK = 1 << 16;
/** Where a job that reads says that no descriptor is left open. */
const NO_FD = -1;

/** The steps of Node's job. */
export class WholeFile {
  /** What `ondone` is to be called with. */
  answer: readonly unknown[] = [];
  /** What the latest step touched. */
  touched: readonly HostAccess[] = [];
  private readonly times: FileTimes;
  private readonly path: string | Buffer;
  private readonly asked: Asked;
  private fd = NO_FD;
  private size = 0;

  constructor(times: FileTimes, path: string | Buffer, asked: Asked) {
    this.times = times;
    this.path = path;
    this.asked = asked;
  }

  /**
   * Does the next step: `more` where another one follows, `native` where nothing was done because the open may block, so
   * that Node's own job has to do it all.
   */
  step(): 'more' | 'over' | 'native' {
    const { stackTraceLimit } = Error;
    // An error of the kernel has no stack of JavaScript.
    setStackDepth(0);
    try {
      if (this.fd === NO_FD) return this.open();
      const list = new AccessList();
      if (this.asked.data) this.write(list, this.asked.data);
      else this.read(list);
      this.touched = list.list;
      return 'over';
    } finally {
      setStackDepth(stackTraceLimit);
    }
  }

  private open(): 'more' | 'over' | 'native' {
    const { path, times } = this;
    const { flags, mode, data, limit } = this.asked;
    const before = existing(path);
    if (before && !before.isFile()) return 'native';
    const args = [path, flags];
    const outcome = { failed: false, existed: before !== null, value: undefined };
    try {
      this.fd = openSync(path, flags, mode);
      this.size = data ? 0 : fstatSync(this.fd).size;
      OPEN.stamps?.(times, args, outcome);
    } catch (error) {
      outcome.failed = true;
      this.end(error as NodeJS.ErrnoException);
    }
    this.touched = accessesOf(OPEN, args, outcome);
    if (data?.length === 0 && !outcome.failed) this.end(null);
    if (this.size > limit) this.handBack();
    return this.fd === NO_FD ? 'over' : 'more';
  }

  private write(list: AccessList, data: Buffer): void {
    let error: NodeJS.ErrnoException | null = null;
    try {
      for (let done = 0; done < data.length; )
        done += writeSync(this.fd, data, done, data.length - done, null);
      this.times.wrote(this.fd);
    } catch (thrown) {
      error = thrown as NodeJS.ErrnoException;
      // The job names the code before the call, the synchronous form behind it.
      delete error.syscall;
      error.syscall = 'write';
    }
    list.write(pathOf(this.path));
    this.end(error);
  }

  private read(list: AccessList): void {
    let error: NodeJS.ErrnoException | null = null;
    const chunks: Buffer[] = [];
    let length = 0;
    try {
      // What says how long it is is read so far, even where it has grown since.
      for (let n = -1; n !== 0 && (this.size === 0 || length < this.size); length += n) {
        const chunk = Buffer.alloc(this.size === 0 ? CHUNK : this.size - length);
        n = readSync(this.fd, chunk, 0, chunk.length, null);
        chunks.push(chunk.subarray(0, n));
      }
      this.times.read(this.fd);
    } catch (thrown) {
      error = thrown as NodeJS.ErrnoException;
      const message = `${error.message} '${pathOf(this.path)}'`;
      Object.assign(error, { message, path: pathOf(this.path), stack: `Error: ${message}` });
    }
    list.read(pathOf(this.path));
    this.end(error, Buffer.concat(chunks, length));
  }

  /** Too long for one trip: the file comes back open. */
  private handBack(): void {
    opened(this.fd, pathOf(this.path));
    this.answer = [null, undefined, this.fd, this.size, undefined];
    this.fd = NO_FD;
  }

  private end(error: NodeJS.ErrnoException | null, read?: Buffer): void {
    if (this.fd !== NO_FD) closeSync(this.fd);
    this.fd = NO_FD;
    if (this.asked.data) this.answer = [error];
    else this.answer = [error, error ? undefined : read, NO_FD, undefined, undefined];
  }
}

/** Null where there is none, or opening it will say why not. */
function existing(path: string | Buffer): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
