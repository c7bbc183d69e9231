/**
 * What a process uses of memory and of the CPU. A test that measures it measures us as well, and what is collected when: no order
 * decides that, so a failure of it is no proof. What the program tells of itself, in a log say, decides nothing.
 */
import v8 from 'node:v8';
import { isOfTests } from '../../data/test-files.ts';
import { wrapMethod } from '../replace.ts';
import type { HostDoubts, HostRequests } from './controller.ts';
import { calledByProgram } from './timer-owner.ts';

const USAGE = 'measures of memory and CPU';

export function watchUsage(controller: HostRequests & HostDoubts): void {
  const watch = (target: object, name: string): void =>
    wrapMethod(target, name, (native) => {
      const watched = function (this: unknown, ...args: unknown[]): unknown {
        if (controller.active() && isOfTests(calledByProgram()?.file ?? '')) controller.doubt(USAGE);
        return native.apply(this, args);
      };
      // `memoryUsage` has a method.
      return Object.assign(watched, native);
    });
  watch(process.memoryUsage, 'rss');
  for (const name of ['memoryUsage', 'cpuUsage', 'threadCpuUsage', 'resourceUsage']) watch(process, name);
  for (const name of ['getHeapStatistics', 'getHeapSpaceStatistics']) watch(v8, name);
  watch(Object.getPrototypeOf(performance), 'eventLoopUtilization');
}
