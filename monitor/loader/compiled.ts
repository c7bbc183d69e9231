/**
 * Files that a loader brings past Node's own way of reading them (tsx in a CommonJS package): it reads and rewrites them
 * itself and hands the text to be compiled. That text is instrumented, and its positions are those of the file by the
 * source map in it.
 */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { loaderConfig } from './config.ts';
import { instrumentCompiled, instrumentFile, wasRead } from './load.ts';
import { onCompile } from './on-compile.ts';
import { isSelected } from './select.ts';
import { HEAD, placedBy, putsOf, shifted } from './source-map.ts';

const MAP = /\n\/\/# sourceMappingURL=data:application\/json[^,\n]*;base64,([A-Za-z0-9+/=]+)\s*$/;

/** From here on what is compiled as CommonJS in this thread is instrumented, unless it was when it was read. */
export const watchCompiled = (): void => onCompile(compiledText);

/** Text that is about to be compiled as CommonJS, instrumented unless it was when it was read. */
export const compiledText = (text: string, filename: string): string => instrumented(text, filename) ?? text;

function instrumented(text: string, filename: string): string | null {
  if (!wasRead(filename) && isTextOf(text, filename))
    return instrumentFile(filename, text, 'commonjs')?.code ?? null;
  const [comment, base64] = MAP.exec(text) ?? [];
  const payload = base64 === undefined ? null : parsed(base64);
  if (comment === undefined || payload === null) return null;
  const map = new SourceMap(payload);
  const applied = instrumentCompiled(filename, text, (sites) =>
    sites.map((site) => placedBy(site, map, filename, loaderConfig().cwd)),
  );
  if (applied === null) return null;
  const { code, inserted } = applied;
  // Node finds the lines of errors by the map, too.
  const moved = JSON.stringify({ ...payload, mappings: shifted(payload.mappings, putsOf(code, inserted)) });
  return `${code.slice(0, code.lastIndexOf(comment))}\n${HEAD}${Buffer.from(moved).toString('base64')}\n`;
}

/** Whether a file of the user's comes as it is: Node has asked nobody for its text, as where loaders run in a thread of their own. */
function isTextOf(text: string, filename: string): boolean {
  if (!isSelected(filename, loaderConfig())) return false;
  try {
    return readFileSync(filename, 'utf8') === text;
  } catch {
    return false;
  }
}

/** Null where it cannot be read. */
function parsed(base64: string): SourceMapPayload | null {
  try {
    const payload = JSON.parse(Buffer.from(base64, 'base64').toString()) as SourceMapPayload;
    return typeof payload.mappings === 'string' ? payload : null;
  } catch {
    return null;
  }
}
