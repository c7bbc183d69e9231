/** The lock adapters of the configuration, found and checked before anything is stored or run. */
import { join } from 'node:path';
import { adapterUrl, readAdapters } from '../../monitor/locks/user.ts';

/** URLs of the modules. Throws AdapterError with one line where one cannot be used. */
export async function lockModules(specifiers: readonly string[], cwd: string): Promise<readonly string[]> {
  const urls = specifiers.map((specifier) => adapterUrl(specifier, join(cwd, 'unweave.config.json')));
  for (const url of urls) await readAdapters(url);
  return urls;
}
