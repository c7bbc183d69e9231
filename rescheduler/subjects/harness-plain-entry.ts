/** Entry of a process that runs one harness on plain Node. */
import { pathToFileURL } from 'node:url';
import { registrations } from '../../harnesses/api.ts';
import { ownJob } from './job.ts';
import { PlainRun } from './plain-run.ts';
import { RunFolder } from './run-folder.ts';

const job = ownJob();
if (job?.mode !== 'plain') throw new Error('this entry is started by unweave only');
const { file, name } = job.target;
const plain = new PlainRun(job);
await import(pathToFileURL(file).href);
const harness = registrations().find((each) => each.name === name);
if (!harness) throw new Error(`no harness named '${name}'`);
const folder = new RunFolder();
const state: unknown = await harness.setup({
  get dir() {
    return folder.get();
  },
});
const tasks = (): Promise<unknown> => Promise.all(Object.values(harness.tasks).map((task) => task(state)));
await plain.judge(tasks, () => harness.check(state)).catch(() => {});
process.exit(0);
