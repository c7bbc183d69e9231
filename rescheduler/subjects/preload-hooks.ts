/** What the preload does once it is known that this Node is new enough. */
import { randomUUID } from 'node:crypto';
import { registerHooks } from 'node:module';
import { extname, join } from 'node:path';
import '../../monitor/register.ts';
import { ownJob, ownRecipe, type ProcessRecord, tellChildren, writeWhole } from './job.ts';

/** Installs the redirection of `node:test`; notes how this process was started. */
export async function preload(): Promise<void> {
  const job = ownJob();
  if (!job) return;
  const shim = new URL(`./test-shim${extname(import.meta.url)}`, import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'node:test' || context.parentURL === shim) return next(specifier, context);
      return { url: shim, format: 'module', shortCircuit: true };
    },
  });
  if (process.execArgv.includes('--test')) tellChildren();
  else if (job.mode === 'record' && process.argv[1] !== undefined) {
    const record: ProcessRecord = { kind: 'process', recipe: ownRecipe(job) };
    writeWhole(join(job.out, `${randomUUID()}.process`), record);
  }
}
