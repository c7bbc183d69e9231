/** The body of a thread that is asynchronous: it runs under the gate, in its own event loop, until nothing is left to do. */

import { DEFAULT_LIMITS } from '../../data/run.ts';
import type { FrameAccess } from '../../monitor/host/controller.ts';
import type { HostRequest } from '../../monitor/host/request.ts';
import type { SharedView } from '../../monitor/threads/views.ts';
import { installGate, runGated } from '../gate/session.ts';
import { DirectedStrategy } from '../strategies/directed.ts';
import { ObservedStrategy } from '../strategies/observed.ts';
import { RandomStrategy } from '../strategies/random.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { PoolCompanions } from './companions.ts';
import { H, loopRules, MOST_THREADS } from './control.ts';
import type { Files } from './file-cells.ts';
import type { CausalLog, LateStep, LoopHolder } from './loop-holder.ts';
import { AsyncWaits } from './wait-async.ts';

/** What is said of the loop at the end of an execution. */
export interface LoopTold {
  /** What each of its steps was. */
  readonly words: readonly string[];
  /** Files that it touched. */
  readonly files: readonly SharedView[];
  /** What its events belong to, where transactions are recorded. */
  readonly causalLog: CausalLog | null;
  /** The steps by name, as a schedule wants them. */
  readonly steps: readonly string[];
  readonly stopped: boolean;
  readonly ungated: Readonly<Record<string, number>>;
  /** Why a failure is no proof. */
  readonly doubts: readonly string[];
  /** What came later than it could. */
  readonly late: readonly LateStep[];
}

/** Of an event loop in a thread no activations are known: requests are named by the turn that made them. */
export const FRAMES: FrameAccess = {
  cur: () => null,
  runAs: (_frame, fn) => fn(),
  deliveryFrame: (request: HostRequest) => request.frame!,
};

export { AsyncWaits, installGate };

/** How a thread's event loop takes its steps in the execution that is about to begin. `steps`: where a schedule says it. */
export function strategyFor(words: Int32Array, self: number, steps: readonly string[] | null): Strategy {
  if (steps) return new DirectedStrategy(steps, new ObservedStrategy());
  return words[H.Deliveries] === 1
    ? new RandomStrategy(words[H.Seed]! * MOST_THREADS + self)
    : new ObservedStrategy();
}

/** A body that rejects, or a turn that throws, throws here. */
export async function runBody(
  body: () => unknown,
  words: Int32Array,
  holder: LoopHolder,
  waits: AsyncWaits,
  files: Files,
  strategy: Strategy,
): Promise<{ readonly told: LoopTold; readonly error: { readonly is: unknown } | null }> {
  const companions = new PoolCompanions(words, holder, waits, files);
  const result = await runGated(async () => body(), {
    strategy,
    // The watchdog of the pool is the one that counts.
    limits: { ...DEFAULT_LIMITS, watchdogMs: 0x7fffffff },
    frames: FRAMES,
    companions,
    rules: loopRules(words),
    until: 'idle',
  });
  return {
    told: {
      words: companions.steps,
      causalLog: holder.causalLog,
      files: files.views,
      steps: result.steps,
      stopped: result.stopped !== null,
      ungated: result.ungated,
      doubts: result.doubts,
      late: holder.late,
    },
    error: result.status === 'fail' ? { is: result.error } : null,
  };
}
