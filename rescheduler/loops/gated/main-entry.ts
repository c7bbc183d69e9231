/** Entry of the main thread of a program that is a script, under the gate. */
import { pathToFileURL } from 'node:url';
import { loaderOption, ownJob, ownRecipe } from '../../subjects/job.ts';
import { loadScript } from '../../subjects/load-script.ts';
import { UNSETTLED } from '../ending.ts';
import { failed } from '../failure.ts';
import { importerOf } from './load.ts';
import { gatedMain } from './main.ts';

process.argv.splice(1, 1);
const { part } = gatedMain()!;
const script = process.argv[1]!;
const recipe = ownRecipe(ownJob()!);
const start =
  loaderOption(recipe) === null
    ? await importerOf(part.loader, pathToFileURL(script))
    : () => loadScript(script, recipe);
const result = await part.run(start, { until: 'idle' });
if (result.status === 'fail') {
  failed(result.error);
  throw result.error;
}
if (result.status === 'deadlock') process.exit(UNSETTLED);
