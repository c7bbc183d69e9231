/**
 * Timers that are not of the run: what hooks, modules and earlier tests have set, and runners. A test waits for what its hooks have
 * begun, by a clock that leaps: so the run takes over what the program has set while the test was set up.
 */
import { performance } from 'node:perf_hooks';
import type { Site } from '../../data/trace.ts';
import type { NativeTimeout } from './node-internals.ts';
import { setByProgram } from './timer-owner.ts';

// The program may fake it later.
const now = performance.now.bind(performance);

/** Work of the CPU and of the host counts in steps of so many real ms: what hooks take differs from run to run. */
const COARSE_MS = 10;

interface OuterTimer {
  /** For how long something may come of it, from when it is set, ms; of a time-out of a runner nothing. */
  readonly period: number;
  /** Where the program has set it; null: it has not. */
  readonly site: Site | null;
  /** Which setting-up it is of; null: of an earlier run, or of none. */
  readonly setUp: number | null;
  /** Real ms. */
  readonly since: number;
  /** The same by a clock that only timers of the program move on, as that of a run does. */
  readonly at: number;
}

/** One that a run takes over. */
export interface TakenTimer {
  readonly timer: NativeTimeout;
  readonly site: Site;
  /** After so many whole ms it goes off. */
  readonly left: number;
}

export class OuterTimers {
  /** Those of whoever runs the program, who was there before us. */
  private readonly older: WeakSet<NativeTimeout>;
  private readonly timers = new Map<NativeTimeout, OuterTimer>();
  /** Where the program has set timers, some of which Node has set anew since then. */
  private readonly sites = new WeakMap<NativeTimeout, Site>();
  private readonly isUpkeep: (timer: NativeTimeout) => boolean;
  private setUp = 0;
  /** See {@link OuterTimer.at}. */
  private at = 0;

  /** `isUpkeep`: Node looks after something by it. */
  constructor(older: readonly NativeTimeout[], isUpkeep: (timer: NativeTimeout) => boolean) {
    this.older = new WeakSet(older);
    this.isUpkeep = isUpkeep;
  }

  /** One is set, or set anew. `isLeft`: by what an earlier run has left behind. */
  add(timer: NativeTimeout, isLeft: boolean): void {
    if (this.older.has(timer)) return;
    // A server that a hook has started looks after its connections each half minute: a test that waits for ever waits for more than that.
    const isUpkeep = this.isUpkeep(timer);
    const site = isUpkeep ? null : (this.sites.get(timer) ?? setByProgram());
    if (site) this.sites.set(timer, site);
    const { _repeat, _idleTimeout } = timer;
    const period = isUpkeep ? 0 : (_repeat ?? (site ? _idleTimeout : 0));
    const setUp = isLeft ? null : this.setUp;
    this.timers.set(timer, { period, site, setUp, since: now(), at: this.at });
  }

  forget(timer: NativeTimeout): void {
    this.timers.delete(timer);
  }

  /** One is taken away, or goes off. */
  delete(timer: NativeTimeout): void {
    const known = this.timers.get(timer);
    if (known?.site && !timer._destroyed)
      this.at = Math.max(this.at, known.at + Math.trunc(timer._idleTimeout));
    this.forget(timer);
  }

  /** From here on what is set is of another test, and what was set before is of none. */
  surroundAnew(): void {
    this.setUp += 1;
  }

  /** See {@link HostTimers.outerPeriod}. */
  get period(): number {
    // Whatever keeps the process alive, the time-out of a runner, say: those that do not go off as well.
    if (![...this.timers.keys()].some((each) => each.hasRef())) return 0;
    return Math.max(0, ...[...this.timers.values()].map(({ period }) => period));
  }

  get areOfProgram(): boolean {
    return [...this.timers.values()].some(({ site }) => site !== null);
  }

  /**
   * What the program has set for the run that begins, in the order in which it goes off. Of its time has passed what other timers have taken,
   * and of what else hooks did the coarse part: no time is left that a faster machine would not leave, and much the same in each run.
   */
  take(): readonly TakenTimer[] {
    const moment = now();
    const taken: (TakenTimer & { readonly due: number })[] = [];
    for (const [timer, { site, setUp, since, at }] of this.timers) {
      if (!site || setUp !== this.setUp) continue;
      const whole = Math.trunc(timer._idleTimeout);
      const waited = this.at - at;
      const rest = Math.max(0, moment - since - waited);
      const passed = waited + Math.floor(rest / COARSE_MS) * COARSE_MS;
      taken.push({ timer, site, left: Math.max(0, whole - passed), due: since + whole });
    }
    taken.sort((a, b) => a.due - b.due);
    // One that goes off before another one is not made to go off behind it.
    let most = Number.POSITIVE_INFINITY;
    return taken
      .toReversed()
      .map(({ timer, site, left }) => ({ timer, site, left: (most = Math.min(most, left)) }))
      .reverse();
  }
}
