/** Entry of a process that runs a script on plain Node. It passes when the process ends by itself with code 0. */
import { leaveChildrenAlone, ownJob, ownRecipe } from './job.ts';
import { loadScript } from './load-script.ts';
import { PlainRun } from './plain-run.ts';

const job = ownJob();
if (job?.mode !== 'plain') throw new Error('this entry is started by unweave only');
const { file } = job.target;
process.argv.splice(1, 1);
leaveChildrenAlone(job);

const ended = new Promise<void>((resolve, reject) => {
  process.once('beforeExit', () => {
    const code = Number(process.exitCode ?? 0);
    if (code === 0) resolve();
    else reject(Object.assign(new Error(`exit code ${code}`), { name: 'ExitCode' }));
  });
});
await new PlainRun(job)
  .judge(
    () => loadScript(file, ownRecipe(job)),
    () => ended,
  )
  .catch(() => {});
