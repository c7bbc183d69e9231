/** The loader: Node reads and classifies a file, we hand it on instrumented. */
import { type LoadHookSync, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { instrumentFile } from './load.ts';
import { loadedFile } from './seen.ts';
import { isTypeChecked } from './type-checked.ts';

export const load: LoadHookSync = (url, context, nextLoad) => {
  const result = nextLoad(url, context);
  if (!url.startsWith('file:')) return result;
  const path = fileURLToPath(url.replace(/[?#].*$/, ''));
  loadedFile(path);
  if (result.source === undefined || result.source === null) return result;
  if (context.conditions.includes('require') && isTypeChecked(path)) return result;
  const source =
    typeof result.source === 'string' ? result.source : Buffer.from(result.source as Uint8Array).toString();
  const instrumented = instrumentFile(path, source, result.format);
  return instrumented === null ? result : { ...result, source: instrumented.code };
};

/** Installs the hook for this thread. */
export function install(): void {
  registerHooks({ load });
}
