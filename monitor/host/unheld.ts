/** Sources whose events come straight from Node: using one makes a failure of the run doubtful. */
import { Worker } from 'node:worker_threads';
import { replaceMethod, wrapMethod } from '../replace.ts';
import type { HostDoubts, HostLiveness, HostRequests } from './controller.ts';
import { onWorker } from './workers.ts';

const { waitAsync } = Atomics;

/** Returns what does it in another realm of this thread. */
export function watchUnheld(
  controller: HostRequests & HostLiveness & HostDoubts,
): (realm: typeof globalThis) => void {
  const unrefs = unrefWorkers();
  // Neither its messages nor its end are held.
  onWorker((worker) => {
    if (!controller.active()) return;
    controller.doubt('Worker');
    worker.once(
      'exit',
      controller.begin('Worker', () => !unrefs.has(worker)),
    );
  });

  // The engine measures the time of a wait by a clock of its own, and Node neither lists it nor waits for it. Where
  // threads are under the gate there is another method in its place, whose waits are steps.
  const watchWaitAsync = (realm: typeof globalThis): void => {
    const { waitAsync } = realm.Atomics;
    replaceMethod(realm.Atomics, 'waitAsync', (...args: Parameters<typeof waitAsync>) => {
      const waiting = waitAsync(...args);
      if (!waiting.async || !Number.isFinite(Number(args[3] ?? Infinity)) || !controller.active())
        return waiting;
      controller.doubt('Atomics.waitAsync');
      const over = controller.begin('Atomics.waitAsync', () => false);
      waiting.value.then(over, over);
      return waiting;
    });
  };
  if (Atomics.waitAsync === waitAsync) watchWaitAsync(globalThis);

  // Signals come whenever they come, but most programs only prepare for them.
  const { emit } = process;
  process.emit = function (this: NodeJS.Process, ...args: any[]) {
    if (String(args[0]).startsWith('SIG') && !controller.running) controller.doubt('a signal');
    return (emit as Function).apply(this, args);
  } as typeof emit;
  return watchWaitAsync;
}

/** Workers for which the process does not wait; Node does not tell. */
function unrefWorkers(): WeakSet<Worker> {
  const unrefs = new WeakSet<Worker>();
  for (const method of ['ref', 'unref'] as const)
    wrapMethod(
      Worker.prototype,
      method,
      (native) =>
        function (this: Worker) {
          if (method === 'ref') unrefs.delete(this);
          else unrefs.add(this);
          return native.call(this);
        },
    );
  return unrefs;
}
