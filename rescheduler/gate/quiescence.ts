/** Nothing is enabled: whether that will change any more, and how the run ends when it does not. */

import type { HostDoubts } from '../../monitor/host/controller.ts';
import type { Host } from '../../monitor/host/install.ts';
import type { Companions } from './companions.ts';
import type { Liveness } from './liveness.ts';
import { native } from './native.ts';
import type { GatedRun, RunOutcome } from './run.ts';

/** Turns of the real loop in which both ends of a connection learn that it was closed. */
export const CLOSING_TURNS = 6;
/** Real loop turns without news after which the loop counts as empty. */
const EMPTY_TURNS = 2;
/** The same while file requests exist that the gate does not know; some of them are only not collected yet. */
const UNSURE_TURNS = 22;

/** Handles go without a word when Node has closed them: looked for ever more rarely, at last after 2 to the power of this ms. */
const LONGEST_LOOK = 6;

/** What the host knows of what is around the run. */
type AroundRun = Pick<
  Host,
  'around' | 'findResting' | 'hasForeignFiles' | 'outerPeriod' | 'outsiders' | 'wakeResting'
>;

/** Wait for so long, ms (0: a turn of the real loop); or that is the outcome; or the execution of all threads is over. */
export type Silent = { readonly wait: number } | { readonly outcome: RunOutcome<unknown> } | 'abandoned';

/** From the look of this number on it is asked whether anybody still waits for what is open, which takes some ms. */
const FIRST_DEEP_LOOK = EMPTY_TURNS + 4;

/** So often a timer of others goes off before it is told that nothing comes of it. */
const ROUNDS = 3;
/** But for so long at least, ms: on a busy machine a short one goes off late. */
const ROUNDS_MS = 1000;
const LONGEST_WAIT_MS = 50;
/** For so long what such a timer has set off may go on without another one, real ms: a connection is tried, say. */
const SET_OFF_MS = 200;
const OUTER = 'a timer that was set before the test';
/** What hooks have asked for, and nobody has answered. */
const AROUND = 'what was asked for before the test';

const SOON: Silent = { wait: 0 };

export class Quiescence {
  private readonly liveness: Liveness;
  private readonly host: AroundRun;
  private readonly controller: HostDoubts;
  /** Real loop turns without news. */
  private turns = 0;
  /** Real time from which on timers of others were waited for; 0: they were not. */
  private since = 0;
  /** Real time at which there was one last. */
  private latest = Number.NEGATIVE_INFINITY;

  constructor(liveness: Liveness, host: AroundRun, controller: HostDoubts) {
    this.liveness = liveness;
    this.host = host;
    this.controller = controller;
  }

  /** Something happened. */
  broken(): void {
    if (this.turns >= FIRST_DEEP_LOOK) this.host.wakeResting();
    this.turns = 0;
    this.since = 0;
  }

  get isOn(): boolean {
    return this.turns > 0;
  }

  /** Asked once per turn of the real loop. `alive`: work that is not gated; `provisional`: see `until` of a run. */
  look(run: GatedRun<unknown>, alive: boolean, provisional: RunOutcome<unknown> | null): Silent {
    if (run.outcome) return { outcome: run.outcome };
    const { companions } = run.options;
    if (companions && !alive) return this.lookInThread(run, companions, provisional);
    if (this.turns < EMPTY_TURNS) {
      this.turns += 1;
      return SOON;
    }
    // What no longer keeps the process alive ends with it (C16).
    if (alive && run.model.lasts) {
      this.turns += 1;
      const { keptAlive, companions } = run.options;
      if (!keptAlive && !companions && this.turns >= FIRST_DEEP_LOOK && this.host.findResting())
        run.model.keptAlive = this.liveness.keepsAlive();
      const look = 2 ** Math.min(this.turns - EMPTY_TURNS, LONGEST_LOOK);
      return { wait: Math.min(run.model.blockedUntil - run.model.horizon, look) };
    }
    if (this.awaitsAround()) return { wait: 1 };
    if (this.mayHaveFiles()) {
      this.turns += 1;
      return { wait: 1 };
    }
    // A timer that was set before the run may bring what it waits for, each time that it goes off. In the user's own command
    // it is for the runner to give up.
    const period = this.host.outerPeriod();
    if (period > 0 && !provisional) {
      this.controller.doubt(OUTER);
      this.latest = native.now();
      this.since ||= this.latest;
      const mayCome = native.now() < this.since + Math.max(ROUNDS_MS, ROUNDS * period);
      if (mayCome || run.options.goesOn?.()) return { wait: Math.min(period, LONGEST_WAIT_MS) };
      return { outcome: { status: 'watchdog' } };
    }
    if (!provisional && native.now() < this.latest + SET_OFF_MS) return { wait: 1 };
    return { outcome: provisional ?? this.stuck(run) };
  }

  /** Nobody outside of the run could bring anything, nor change what it looks at. */
  get isAlone(): boolean {
    const { outsiders } = this.host;
    return !outsiders.mayKnow && this.host.outerPeriod() === 0 && outsiders.find().length === 0;
  }

  /** How a run ends that can do nothing more by itself: what keeps the process alive may wait for nobody. */
  stuck(run: GatedRun<unknown>): RunOutcome<unknown> {
    // A timer fires, even if no order is known in which it may.
    if (run.awaitsTimer) return { status: 'watchdog' };
    // A process that nothing keeps alive ends, whoever could have come.
    const mayCome = run.rules.outsiders && run.model.keptAlive ? this.host.outsiders.find() : [];
    for (const who of mayCome) run.doubt(who);
    if (mayCome.length === 0) return { status: 'deadlock' };
    return {
      status: 'watchdog',
      missing: `it waits, perhaps for what comes from outside: ${mayCome.join(', ')}`,
    };
  }

  /** The same for one thread of several: nothing comes from outside, and others may do something for it. */
  private lookInThread(
    run: GatedRun<unknown>,
    companions: Companions,
    provisional: RunOutcome<unknown> | null,
  ): Silent {
    const { alone } = companions;
    // What was closed keeps the thread alive until Node has closed it; a module is being loaded.
    if (alone && (this.turns < CLOSING_TURNS || this.mayHaveFiles())) {
      this.turns += 1;
      return this.turns <= CLOSING_TURNS ? SOON : { wait: 1 };
    }
    const lingers = alone?.lingers() === true;
    if (provisional && !lingers) return { outcome: provisional };
    if (alone && !lingers && !run.options.keptAlive) {
      if (run.model.awaitsTimer) this.controller.doubt('a timer that fires in no known order');
      return { outcome: { status: 'deadlock' } };
    }
    return companions.wait() ? SOON : 'abandoned';
  }

  /** What hooks have asked for may come: no time passes before. What does not makes the run no proof. */
  awaitsAround(): boolean {
    const { around } = this.host;
    if (around.isPending && !around.mayCome) this.controller.doubt(AROUND);
    return around.mayCome;
  }

  /** File requests that the gate does not know are under way, or not yet collected. */
  private mayHaveFiles(): boolean {
    return this.turns < UNSURE_TURNS && this.host.hasForeignFiles();
  }
}
