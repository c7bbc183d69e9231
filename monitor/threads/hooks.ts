/** The loader of a thread whose modules come from Node itself: Node reads and classifies a file, we instrument it. */
import { registerHooks } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onCompile } from '../loader/on-compile.ts';
import { isTypeChecked } from '../loader/type-checked.ts';
import type { ThreadLoader } from './load.ts';

type ModuleKind = 'module' | 'commonjs';

let ofThread: ThreadLoader | null = null;

/** Of this thread, for what is not loaded by Node; null: it takes no part in an execution of threads. */
export const threadLoader = (): ThreadLoader | null => ofThread;

/** From here on the user's files are instrumented as this thread loads them. */
export function installHooks(loader: ThreadLoader): void {
  ofThread = loader;
  registerHooks({
    load(url, context, next) {
      const result = next(url, context);
      if (!url.startsWith('file:') || result.source === undefined || result.source === null) return result;
      const path = fileURLToPath(url.replace(/[?#].*$/, ''));
      if (context.conditions.includes('require') && isTypeChecked(path)) return result;
      const source = result.source.toString();
      for (const kind of kindsOf(path, result.format)) {
        const text = loader.transform(source, path, kind);
        if (text !== source) return { ...result, source: text };
      }
      return result;
    },
  });
  // Files whose types are checked are instrumented behind that.
  onCompile((text, file) =>
    loader.selects(file) && isTypeChecked(file) ? loader.transform(text, file, 'commonjs') : text,
  );
}

/** The ways to read a file, likeliest first: without a format Node tries CommonJS, then ESM. */
function kindsOf(path: string, format: string | null | undefined): readonly ModuleKind[] {
  const extension = extname(path);
  if (format?.startsWith('module') || /^\.m[jt]s$/.test(extension)) return ['module'];
  if (format?.startsWith('commonjs') || /^\.c[jt]s$/.test(extension)) return ['commonjs'];
  return format === undefined || format === null || format === 'typescript' ? ['commonjs', 'module'] : [];
}
