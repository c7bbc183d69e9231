/** What another process takes: the clock of the run goes on as far, at least, before it brings anything (C12). */
import type { After } from '../../data/feasibility/exact/arrivals.ts';
import type { HostClock, HostRequests } from './controller.ts';

/** The real clock. */
const { now } = performance;
/** It differs from run to run: it counts in units of so many ms. */
const UNIT_MS = 10;

/** In full units, ms; what is quicker than one of them counts for nothing: on another day it is quicker still. */
export const unitsOf = (ms: number): number => (ms < UNIT_MS ? 0 : Math.ceil(ms / UNIT_MS) * UNIT_MS);

/** What comes from a process that waits for this one takes from then on only. */
export class Elapsed {
  private readonly controller: HostRequests & HostClock;
  private moment = 0;
  private start = 0;
  /** Of the processes that it has started itself: they may have waited for the same. */
  private readonly heirs: Elapsed[] = [];
  /** See {@link ArrivedRequest.since}. */
  since = -1;

  constructor(controller: HostRequests & HostClock) {
    this.controller = controller;
    this.anew();
  }

  /** The program starts it, or does something that it may have waited for. */
  anew(): void {
    this.stepped();
    for (const heir of this.heirs) heir.anew();
  }

  /** It has done something itself that was asked for. */
  stepped(): void {
    if (!this.controller.active()) return;
    this.moment = this.controller.moment();
    this.since = this.controller.events();
    this.start = now.call(performance);
  }

  /** That of a process which it starts. */
  heir(): Elapsed {
    const heir = new Elapsed(this.controller);
    Object.assign(heir, { moment: this.moment, since: this.since, start: this.start });
    this.heirs.push(heir);
    return heir;
  }

  /** For what comes now. */
  get after(): After {
    return { moment: this.moment, ms: unitsOf(now.call(performance) - this.start) };
  }
}
