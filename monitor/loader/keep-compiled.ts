/**
 * What V8 makes of modules, ours and the program's, is kept beside the instrumented text: a process of one short run
 * spends most of its time on compiling what another one has compiled before.
 */
import { readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { CONFIG_VARIABLE, parseConfig } from './config.ts';

/** Programs that write modules of their own under new names leave something in each run: all is forgotten beyond this. */
const MOST = 10_000;

const folderIn = (cacheDir: string): string => join(cacheDir, 'compiled');

/** In a process under test: from here on. */
export function keepCompiled(): void {
  const { env } = process;
  // Who asks for a cache has one; coverage is less exact with it.
  const isTold = env['NODE_COMPILE_CACHE'] !== undefined || env['NODE_V8_COVERAGE'] !== undefined;
  const config = env[CONFIG_VARIABLE];
  if (config === undefined || isTold || !isMainThread) return;
  enableCompileCache(folderIn(parseConfig(config).cacheDir));
}

/** Keeps the folder from growing for ever. */
export function boundCompiled(cacheDir: string): void {
  const folder = folderIn(cacheDir);
  try {
    const files = readdirSync(folder, { recursive: true });
    if (files.length > MOST) rmSync(folder, { recursive: true, force: true });
  } catch {
    // There is none yet, or it is in use.
  }
}
