/** FileHandle.close: the one asynchronous operation of the binding that is a method. */
import { replaceMethod } from '../replace.ts';
import type { FsHost } from './fs-host.ts';
import { closedHandle } from './fs-left.ts';
import { closed } from './fs-paths.ts';
import { issueFs } from './fs-request.ts';
import type { FsRow } from './fs-table.ts';

const ROW: FsRow = { api: 'fs.close', about: [0], touches: () => {} };

interface ClosingHandle {
  readonly fd: number;
  close(): Promise<void>;
  closeSync?(): void;
}

/** Wraps the method on the prototype of all handles. */
export function wrapClose({ around, binding, controller, later }: FsHost): void {
  const prototype = binding.FileHandle.prototype as unknown as ClosingHandle;
  const { close, closeSync } = prototype;
  replaceMethod(prototype, 'close', function (this: ClosingHandle) {
    if (!controller.active(ROW.api)) {
      closedHandle(this);
      return around.promise(() => close.call(this));
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let settle = () => resolve();
    const { fd } = this;
    const failed = (error: unknown) => {
      settle = () => reject(error);
    };
    issueFs(controller, ROW, [fd], {
      effect: (done) => {
        closed(fd);
        closedHandle(this);
        if (!closeSync || controller.usesPool) {
          close
            .call(this)
            .catch(failed)
            .then(() => later(() => done(true)));
          return;
        }
        try {
          closeSync.call(this);
        } catch (error) {
          failed(error);
        }
        done(true);
      },
      deliver: () => controller.frames.runAs(null, settle),
      accesses: () => [],
    });
    return promise;
  });
}
