/** Compression: each write to a handle is work of the thread pool, answered through what the handle was made with. */

import { wrapMethod } from '../replace.ts';
import { AroundWork } from './around-work.ts';
import { bindingOf } from './bindings.ts';
import type { Context } from './context.ts';
import type { HostLiveness, HostRequests } from './controller.ts';
import { HostJob } from './job.ts';
import type { Call } from './net/binding.ts';

const HANDLES = ['Zlib', 'BrotliEncoder', 'BrotliDecoder', 'ZstdCompress', 'ZstdDecompress'];

interface ZlibHandle {
  /** Called instead of the callback when the work fails. */
  onerror: Call;
}

export function wrapZlib(
  controller: HostRequests & HostLiveness,
  capture: () => Context,
  around = new AroundWork(controller),
): void {
  const binding = bindingOf('zlib');
  /** What the present write of a handle does with its answer. */
  const writing = new WeakMap<object, (answer: () => void) => void>();
  const answer = (handle: object, then: () => void) => {
    const come = writing.get(handle);
    writing.delete(handle);
    if (come) come(then);
    else then();
  };
  for (const name of HANDLES) {
    const prototype = binding?.[name]?.prototype as object | undefined;
    if (!prototype) continue;
    wrapMethod(
      prototype,
      'init',
      (native) =>
        function (this: object, ...args) {
          const at = args.findIndex((arg) => typeof arg === 'function');
          const ended = args[at] as Call | undefined;
          if (ended)
            args[at] = function (this: object, ...values: unknown[]) {
              answer(this, () => ended.apply(this, values));
            };
          return native.apply(this, args);
        },
    );
    wrapMethod(
      prototype,
      'write',
      (native) =>
        function (this: ZlibHandle, ...args) {
          if (!controller.active('zlib.write')) {
            const over = around.begin();
            if (over)
              writing.set(this, (then) => {
                over();
                then();
              });
            return native.apply(this, args);
          }
          const job = new HostJob(controller, 'zlib.write', 'pool', capture(), null);
          const { onerror } = this;
          this.onerror = (...values) => answer(this, () => onerror.apply(this, values));
          writing.set(this, (then) => {
            this.onerror = onerror;
            job.come(then);
          });
          return native.apply(this, args);
        },
    );
  }
}
