/** The lock adapters of the user's configuration: modules whose default export is an adapter, or several. */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { resolveImport } from '../modules/resolve.ts';
import { addAdapter } from './adapters.ts';
import type { LockAdapter } from './api.ts';
import { provideApi } from './hooks.ts';
import { lockFiles } from './lock-files.ts';

/** An adapter that cannot be used; the message is one line. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
}

/** URL of an adapter module, by its specifier in the configuration `file`. */
export function adapterUrl(specifier: string, file: string): string {
  try {
    return resolveImport(specifier, file).url;
  } catch {
    throw new AdapterError(`locks: ${specifier}: no such module (seen from ${file})`);
  }
}

/** Loads adapters and adds them. Before any module of the program, which is then already adapted. */
export async function loadAdapters(urls: readonly string[]): Promise<void> {
  for (const url of urls) add(url, await readAdapters(url));
}

/** The same for a thread that cannot wait. Modules are those that have been read before: there is nothing to be said. */
export function requireAdapters(urls: readonly string[]): void {
  if (urls.length === 0) return;
  provideApi();
  const require = createRequire(import.meta.url);
  for (const url of urls) add(url, checked(require(fileURLToPath(url)) as { default?: unknown }, url));
}

function add(url: string, adapters: readonly LockAdapter[]): void {
  noteFile(url);
  for (const adapter of adapters) {
    const module = moduleOf(adapter, url);
    noteFile(module);
    addAdapter(adapter, module);
  }
}

function noteFile(url: string): void {
  if (url.startsWith('file:')) lockFiles.add(fileURLToPath(url));
}

/** The adapters that a module exports, checked. */
export async function readAdapters(url: string): Promise<readonly LockAdapter[]> {
  const shown = url.startsWith('file:') ? fileURLToPath(url) : url;
  if (url.startsWith('file:') && !existsSync(shown))
    throw new AdapterError(`locks: ${shown}: no such module`);
  let exports: { default?: unknown };
  provideApi();
  try {
    exports = (await import(url)) as { default?: unknown };
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new AdapterError(`locks: ${shown}: ${why.replace(/\s+/g, ' ')}`);
  }
  return checked(exports, url);
}

function checked({ default: exported }: { default?: unknown }, url: string): readonly LockAdapter[] {
  const shown = url.startsWith('file:') ? fileURLToPath(url) : url;
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  for (const each of list)
    if (!isAdapter(each))
      throw new AdapterError(`locks: ${shown}: its default export is no adapter { module, adopt(exports) }`);
  return list as readonly LockAdapter[];
}

function isAdapter(value: unknown): value is LockAdapter {
  const { module, adopt } = (value ?? {}) as Partial<LockAdapter>;
  return typeof module === 'string' && module !== '' && typeof adopt === 'function';
}

/** A relative `module` is a file as seen from the adapter, anything else a package. */
function moduleOf({ module }: LockAdapter, url: string): string {
  return /^\.{0,2}\//.test(module) ? new URL(module, url).href : module;
}
