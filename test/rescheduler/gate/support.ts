/** Runs programs under the gate without the instrumented runtime. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Loopback } from '../../../data/feasibility/rules.ts';
import type { FrameAccess } from '../../../monitor/host/controller.ts';
import type { Frame } from '../../../monitor/runtime/types.ts';
import type { GateOptions, GateResult, GateRules } from '../../../rescheduler/gate/result.ts';
import { installGate, runGated } from '../../../rescheduler/gate/session.ts';
import { ObservedStrategy } from '../../../rescheduler/strategies/observed.ts';
import { RandomStrategy } from '../../../rescheduler/strategies/random.ts';
import type { Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { dropFolder, scratchRoots } from '../../../rescheduler/subjects/scratch.ts';

installGate();

/** This Node reads and writes a whole file in one request, and walks a tree of directories in one. */
export const WHOLE =
  typeof (process as unknown as { binding(name: string): Record<string, unknown> }).binding('fs')[
    'ReadFileJob'
  ] === 'function';

/** No activations: names come from the turns alone. */
export const noFrames: FrameAccess = {
  cur: () => null,
  runAs: (_frame, fn) => fn(),
  deliveryFrame: () => null as unknown as Frame,
};

export const limits = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 5000 };

export type Options = Partial<Omit<GateOptions, 'frames'>>;

export function gated<T>(main: () => T | Promise<T>, options: Options = {}): Promise<GateResult<T>> {
  return runGated(main, { strategy: new ObservedStrategy(), limits, frames: noFrames, ...options });
}

export function random<T>(
  main: () => T | Promise<T>,
  seed: number,
  rules: Partial<GateRules> = {},
  loopback: Loopback = 'network',
): Promise<GateResult<T>> {
  return gated(main, { strategy: new RandomStrategy(seed), rules, limits: { ...limits, loopback } });
}

/** Takes the first enabled step that matches each pattern in turn; what no pattern names comes when it must. */
export class Ordered implements Strategy {
  private readonly wanted: readonly RegExp[];
  private readonly rest = new ObservedStrategy();
  at = 0;

  constructor(wanted: readonly RegExp[]) {
    this.wanted = wanted;
  }

  choose(enabled: Parameters<Strategy['choose']>[0]): ReturnType<Strategy['choose']> {
    const next = this.wanted[this.at];
    if (!next) return this.rest.choose(enabled);
    const hit = enabled.find((ready) => next.test(labelOf(ready)));
    if (hit) {
      this.at += 1;
      return hit;
    }
    const later = this.wanted.slice(this.at);
    const free = enabled.filter((ready) => !later.some((pattern) => pattern.test(labelOf(ready))));
    return this.rest.choose(free.length > 0 ? free : enabled);
  }
}

function labelOf({ name, request }: Parameters<Strategy['choose']>[0][number]): string {
  return `${name[0]}:${request.api}:${request.what}`;
}

/** A fresh directory, in memory; emptied and used again for later calls, so that thousands of runs stay cheap. */
const KEPT = 16;

export class Directories {
  readonly root = scratchRoots().memory;
  private n = 0;

  /** No two have one name: a module is loaded once by its own. The last ones remain. */
  fresh(): string {
    const directory = join(this.root, String(this.n));
    mkdirSync(directory);
    rmSync(join(this.root, String(this.n - KEPT)), { recursive: true, force: true });
    this.n += 1;
    return directory;
  }

  remove(): void {
    dropFolder(this.root);
  }
}
