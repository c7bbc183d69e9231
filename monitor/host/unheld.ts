/** Sources whose events come straight from Node: using one makes a failure of the run doubtful. */
import type { HostController } from './request.ts';

export function watchUnheld(controller: HostController): void {
  // Neither its messages nor its end are held.
  process.on('worker', (worker) => {
    if (!controller.active()) return;
    controller.doubt('Worker');
    worker.once('exit', controller.begin('Worker'));
  });

  // Signals come whenever they come, but most programs only prepare for them.
  const { emit } = process;
  process.emit = function (this: NodeJS.Process, ...args: any[]) {
    if (String(args[0]).startsWith('SIG') && !controller.running) controller.doubt('a signal');
    return (emit as Function).apply(this, args);
  } as typeof emit;
}
