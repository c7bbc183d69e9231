/**
 * Loaded into Mocha's command line, as the user has started it, before anything else: it loads what it would load, and then
 * answers requests instead of running tests. Of a process for the cases of one file that file is left out; in one for those of
 * all files each is loaded natively, and once more for each run.
 */
import { realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { extname, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CaseRerunner } from '../../subjects/case-rerun.ts';
import { serve } from '../../subjects/worker-serve.ts';
import { cleans } from '../cleaning.ts';
import { packageOf } from '../package.ts';
import { WARM_FILE } from '../warm-start.ts';
import { MochaFile } from './mocha-file.ts';
import { loadMocha } from './package.ts';
import { noteRootHooks } from './root-hooks.ts';

const EMPTY = new URL(`./empty.c${extname(import.meta.url).slice(1)}`, import.meta.url).href;
const EMPTY_FORMAT = extname(import.meta.url) === '.ts' ? 'commonjs-typescript' : 'commonjs';

const folder = packageOf(process.argv[1], ['mocha'])?.folder;
const file = process.env[WARM_FILE];
if (folder === undefined || file === undefined) throw new Error('this module is loaded by unweave only');
delete process.env[WARM_FILE];
cleans();
const mocha = loadMocha(folder);
if (file !== '') leaveOut(file, pathToFileURL(folder + sep).href);
const rootHooks = noteRootHooks(mocha);
mocha.prototype.run = function () {
  const runner = new CaseRerunner((linkerOf) => new MochaFile(mocha, this, rootHooks, linkerOf));
  serve(async (request) => {
    if (request.kind !== 'case') throw new Error(`no such request here: ${request.kind}`);
    return runner.run(request);
  });
};

/** What loads the file of tests from within `folder`, a URL, gets an empty module: it is loaded anew for each run. */
function leaveOut(path: string, from: string): void {
  const url = pathToFileURL(realpathSync(path)).href;
  registerHooks({
    resolve(specifier, context, next) {
      const result = next(specifier, context);
      if (result.url !== url || !context.parentURL?.startsWith(from)) return result;
      return { url: EMPTY, format: EMPTY_FORMAT, shortCircuit: true };
    },
  });
}
