/** p-limit: a limit of one is a lock around each function that it runs. */
import { guarded, type LockAdapter } from './api.ts';

type Limit = ((fn: (...args: unknown[]) => unknown, ...args: unknown[]) => Promise<unknown>) & {
  readonly concurrency?: number;
};

export const pLimit: LockAdapter = {
  module: 'p-limit',
  adopt(exports) {
    const original = exports.default;
    if (typeof original !== 'function') return undefined;
    const wrapped = new Proxy(original as (...args: unknown[]) => Limit, {
      apply(target, self, args) {
        const limit = Reflect.apply(target, self, args) as Limit;
        const options = args[0] as number | { concurrency?: number };
        const concurrency = typeof options === 'object' ? options.concurrency : options;
        if (concurrency !== 1) return limit;
        return new Proxy(limit, {
          apply: (inner, receiver, [fn, ...rest]) =>
            Reflect.apply(inner, receiver, [
              typeof fn === 'function' ? guarded(limit, 'p-limit(1)', fn) : fn,
              ...rest,
            ]),
        });
      },
    });
    return { default: wrapped };
  },
};
