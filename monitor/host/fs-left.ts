/**
 * Handles of files that the program has opened and not closed. Node complains of one that it collects: by a warning, from Node 26
 * on by an error that nobody can catch. When that is depends on how full memory is, and in a process with many runs that
 * says nothing of the run that hears it: by itself the program is over before. So they are held here.
 */
import type { FsHost } from './fs-host.ts';

interface OpenHandle {
  /** Negative: it is closed. */
  readonly fd: number;
  closeSync?(): void;
}

/** How many may be left by runs that are over: a process has room for about a thousand files at least. */
export const MOST_LEFT = 256;

/** In the order in which they were opened. */
const left = new Set<OpenHandle>();

/** Node makes some itself, of descriptors that it has. */
export function watchHandles({ binding, controller }: FsHost): void {
  binding.FileHandle = new Proxy(binding.FileHandle, {
    construct(Native, args) {
      const handle: object = Reflect.construct(Native, args);
      if (controller.active()) openedHandle(handle);
      return handle;
    },
  });
}

/** A run has opened it. */
export function openedHandle(handle: object): void {
  left.add(handle as OpenHandle);
}

export function closedHandle(handle: object): void {
  left.delete(handle as OpenHandle);
}

/** A run begins: all that is open was left by others. The latest may still be closed by what comes behind a test. */
export function closeForgotten(): void {
  for (const handle of left) if (handle.fd < 0) left.delete(handle);
  let tooMany = left.size - MOST_LEFT;
  for (const handle of left) {
    if (tooMany <= 0) return;
    tooMany -= 1;
    left.delete(handle);
    try {
      handle.closeSync?.();
    } catch {
      // Somebody closed the descriptor without it.
    }
  }
}
