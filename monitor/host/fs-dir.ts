/** opendir and its handles: a binding of their own, which only Node's closures know. */
import { replaceMethod } from '../replace.ts';
import type { FsCall, FsReq } from './fs-binding.ts';
import type { FsHost } from './fs-host.ts';
import { natively, withCallback } from './fs-operation.ts';
import { pathOf } from './fs-paths.ts';
import type { FsRow } from './fs-table.ts';

export interface DirBinding {
  opendir: FsCall;
  opendirSync: FsCall;
}

/** Wraps opendir and, found through a handle, reading and closing directories. */
export function wrapDirectories(host: FsHost, binding: DirBinding): void {
  const { controller } = host;
  const { FSReqCallback } = host.binding;
  const paths = new WeakMap<object, string>();
  const { opendir, opendirSync } = binding;

  const opens: FsRow = {
    api: 'fs.opendir',
    about: [0],
    touches: (list, [path], { value }) => {
      list.look(pathOf(path));
      if (typeof value === 'object' && value) paths.set(value, pathOf(path));
    },
  };
  replaceMethod(binding, 'opendir', function (this: unknown, ...args: unknown[]) {
    const at = args.length - 1;
    if (!controller.active(opens.api) || !(args[at] instanceof FSReqCallback))
      return natively(host, opendir, this, args, at);
    const call = { name: 'opendir', native: opendir, sync: opendirSync, self: binding, args, at };
    return withCallback(host, opens, call);
  });

  const handle = opendirSync.call(binding, import.meta.dirname) as { close(): void };
  const prototype = Object.getPrototypeOf(handle) as Record<'read' | 'close', FsCall>;
  handle.close();
  for (const name of ['read', 'close'] as const) {
    const native = prototype[name];
    replaceMethod(prototype, name, function (this: object, ...args: unknown[]) {
      const at = args.length - 1;
      if (!controller.active(`fs.Dir.${name}`) || !((args[at] as FsReq) instanceof FSReqCallback))
        return natively(host, native, this, args, at);
      const path = paths.get(this);
      const row: FsRow = {
        api: `fs.Dir.${name}`,
        about: [],
        touches: (list, _args, { value }) => {
          if (path === undefined || name === 'close') return;
          // Names and types, in turn.
          const names = Array.isArray(value) ? value.filter((_, i) => i % 2 === 0) : [];
          list.listing(path, names as string[]);
        },
        stamps: (times) => path !== undefined && times.read(path),
      };
      return withCallback(host, row, { name: `Dir.${name}`, native, self: this, args, at });
    });
  }
}
