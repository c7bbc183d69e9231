/** Entry of a process that runs one harness, or scenario, on plain Node. */
import { pathToFileURL } from 'node:url';
import { registrations, scenarioRegistrations } from '../../harnesses/api.ts';
import { judgePlainly } from '../scenarios/plain.ts';
import { scenarioNamed } from '../scenarios/plan.ts';
import { ownJob } from './job.ts';
import { PlainRun } from './plain-run.ts';
import { RunFolder } from './run-folder.ts';

const job = ownJob();
if (job?.mode !== 'plain') throw new Error('this entry is started by unweave only');
const { file, name } = job.target;
const plain = new PlainRun(job);
await import(pathToFileURL(file).href);
const folder = new RunFolder();
const context = {
  get dir() {
    return folder.get();
  },
};
if (job.scenario?.kind === 'judged') {
  const scenario = scenarioNamed(scenarioRegistrations(), file, name);
  const state: unknown = await scenario.spec.setup(context);
  await judgePlainly(plain, scenario, state, folder.made, job.scenario);
} else {
  const harness = registrations().find((each) => each.name === name);
  if (!harness) throw new Error(`no harness named '${name}'`);
  const state: unknown = await harness.setup(context);
  const tasks = (): Promise<unknown> => Promise.all(Object.values(harness.tasks).map((task) => task(state)));
  await plain.judge(tasks, () => harness.check(state)).catch(() => {});
}
process.exit(0);
