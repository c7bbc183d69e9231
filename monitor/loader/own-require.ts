/**
 * `require` for our own modules that come late: past what others have put in the way of `require` since (ts-node,
 * esbuild-register, and all that rewrites what is loaded), which is meant for the program.
 */
import { Module } from 'node:module';

interface Loading {
  _load: unknown;
  _resolveFilename: unknown;
  readonly _extensions: Record<string, unknown>;
  readonly prototype: Record<'_compile' | 'load' | 'require', unknown>;
}
const loading = Module as unknown as Loading;
const METHODS = ['_compile', 'load', 'require'] as const;

/** What stands in these places now. */
function taken() {
  const { _load, _resolveFilename, _extensions, prototype } = loading;
  return {
    own: { _load, _resolveFilename },
    methods: METHODS.map((name) => prototype[name]),
    extensions: { ..._extensions },
  };
}
type TakenModules = ReturnType<typeof taken>;

function put({ own, methods, extensions }: TakenModules): void {
  Object.assign(loading, own);
  METHODS.forEach((name, i) => {
    loading.prototype[name] = methods[i];
  });
  Object.assign(loading._extensions, extensions);
}

/** Node's own, as this module is loaded before those of the user. */
const native = taken();

/** Calls `load`, during which `require` is Node's own. */
export function natively<T>(load: () => T): T {
  const now = taken();
  put(native);
  try {
    return load();
  } finally {
    put(now);
  }
}

type Handler = (module: NodeModule, file: string) => void;

/** What loads files of this kind by `require`. */
export const extensionHandler = (extension: string): Handler =>
  (loading._extensions[extension] ?? loading._extensions['.js']) as Handler;

/** What others have put in the place of Node's own way to load files of this kind by `require`; null where nobody has. */
export function foreignExtension(extension: string): Handler | null {
  const handler = loading._extensions[extension];
  return handler === native.extensions[extension] ? null : (handler as Handler);
}
