/** The program of a worker: a file, or a text. */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { BY_NODE } from '../../../monitor/modules/default-import.ts';
import type { Linker } from '../../../monitor/modules/linker.ts';
import type { GatedPart } from './gated-part.ts';
import type { GatedPlace } from './gated-place.ts';
import { importerOf } from './load.ts';

/** What runs it; `linker`: where it may be loaded already. */
export async function startOf(
  part: Pick<GatedPart, 'loader'>,
  { file, isText }: GatedPlace,
  linker?: Linker,
): Promise<() => unknown> {
  if (isText) return evaluated(file);
  const url = urlOf(file);
  process.argv[1] = url.protocol === 'file:' ? fileURLToPath(url) : url.href;
  return importerOf(part.loader, url, linker);
}

/** As the program gave it. */
export const urlOf = (file: string): URL => (/^[a-z]{2,}:/i.test(file) ? new URL(file) : pathToFileURL(file));

/** As Node does it: a script in which `require` is known, or a module. */
function evaluated(text: string): () => unknown {
  process.argv[1] = '[worker eval]';
  const require = createRequire(`${process.cwd()}/[worker eval]`);
  const module = { exports: {} };
  Object.assign(globalThis, { require, module, exports: module.exports });
  const script = parsed(text);
  return () =>
    script ? script.runInThisContext() : import(`data:text/javascript,${encodeURIComponent(text)}`);
}

/** Null: no script can be read in it. */
function parsed(text: string): Script | null {
  try {
    return new Script(text, { ...BY_NODE, filename: '[worker eval]' });
  } catch {
    return null;
  }
}
