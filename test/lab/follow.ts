/**
 * The gate follows an order that plain Node has shown: is it one of those that our rules allow? The words of a program
 * say less than the steps of the gate, so the steps between two words have to be found: by what is known of the
 * program, and by chance. A run that tells exactly the words of the order is the proof.
 */
import type { Loopback } from '../../data/feasibility/rules.ts';
import { generator } from '../../data/generator.ts';
import type { RunLimits } from '../../data/run.ts';
import type { FrameAccess } from '../../monitor/host/controller.ts';
import { type HostRequest, isPutOff } from '../../monitor/host/request.ts';
import type { Frame } from '../../monitor/runtime/types.ts';
import type { GateResult, GateRules } from '../../rescheduler/gate/result.ts';
import { installGate, runGated } from '../../rescheduler/gate/session.ts';
import { ObservedStrategy } from '../../rescheduler/strategies/observed.ts';
import {
  type GateView,
  type ReadyStep,
  type Stop,
  type Strategy,
  WAIT,
  type Wait,
} from '../../rescheduler/strategies/strategy.ts';
import type { Directories } from './directories.ts';
import { isCauseOf, Knowledge } from './knowledge.ts';
import { play } from './play.ts';
import type { Program } from './program.ts';

installGate();

export interface Followed {
  /** Runs that it took; 0: none of them told the order. */
  readonly tries: number;
  /** The steps of the run that told it, or how far the best one came. */
  readonly steps: readonly string[];
  readonly reached: number;
}

/** No activations: names come from the turns alone. */
const noFrames: FrameAccess = {
  cur: () => null,
  runAs: (_frame, fn) => fn(),
  deliveryFrame: () => null as unknown as Frame,
};

/** How willingly steps are taken that tell nothing while something that is wanted can be done. */
const EAGERNESS = [0, 1, 0.5, 0.15, 0.85];
/** How often what may come from outside is waited for while something that is wanted can be done, and for how long, ms. */
const WAITS = 0.3;
const WAITING_MS = 30;
/** So many of the next words something from outside may belong to. */
const AHEAD = 3;
/** How often answers of name servers share a turn though the first word wanted is not theirs. */
const BESIDE = 0.5;
/** How often something is kept for a later word. */
const KEPT = 0.7;
/** How often an effect comes before a synchronous call of the turn that is on. */
const EARLY = 0.3;
/** How often a run does first what presumes that nothing is late, and how often it leaves a request as late as it can. */
const PROMPT = 0.5;
const LEAVING = 0.5;
const LEFT = 0.2;
/** How often what went wrong is thought to have been done not long before. */
const NOT_LONG = 0.5;
/** So long an order is looked for, ms of CPU time: what else the machine does must not matter. */
const PATIENCE_MS = 6000;
const LIMITS = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 5000 };

/** Wants the words of an order, one after the other. */
class Follow implements Strategy {
  private readonly order: readonly string[];
  private readonly knowledge: Knowledge;
  private readonly eagerness: number;
  private readonly random: () => number;
  /** The first steps, as another run took them. */
  private readonly lead: readonly string[];
  /** It does first what presumes that nothing is late. */
  private readonly isPrompt: boolean;
  /** What it leaves to be done when nothing else can be, until it has told so many words. */
  private readonly left: Map<string, number> | null;
  /** How far the run told the order. */
  reached = 0;
  wrong = false;

  constructor(
    order: readonly string[],
    knowledge: Knowledge,
    eagerness: number,
    random: () => number,
    lead: readonly string[],
  ) {
    this.order = order;
    this.knowledge = knowledge;
    this.eagerness = eagerness;
    this.random = random;
    this.lead = lead;
    this.isPrompt = random() < PROMPT;
    this.left = random() < LEAVING ? new Map() : null;
  }

  hear(word: string): void {
    if (this.order[this.reached] !== word) this.wrong = true;
    if (!this.wrong) this.reached += 1;
  }

  choose(enabled: readonly ReadyStep[], view: GateView): ReadyStep | Stop | Wait {
    const { taken } = view;
    const wanted = this.order[this.reached];
    if (this.wrong || wanted === undefined) return { stop: 'diverged', wanted: wanted ?? '' };
    const led = this.lead[taken.length];
    const known = led === undefined ? undefined : enabled.find(({ name }) => name === led);
    if (known) return known;
    const tellers = [...this.knowledge.tellersOf(wanted)];
    const hits: ReadyStep[] = [];
    const leading: ReadyStep[] = [];
    const silent: ReadyStep[] = [];
    const loud: ReadyStep[] = [];
    const late: ReadyStep[] = [];
    for (const ready of enabled) {
      const { name } = ready.request;
      const isDelivery = ready.name.startsWith('D:');
      const tells = tellers.includes(name);
      const leads = tells || tellers.some((teller) => isCauseOf(name, teller));
      if (tells && isDelivery) hits.push(ready);
      else if (isDelivery && !(this.knowledge.isSilent(name) && (leads || !this.isKept(name))))
        loud.push(ready);
      else if (this.isLeft(name)) late.push(ready);
      else (leads ? leading : silent).push(ready);
    }
    const classes = [hits, leading, silent];
    const timely = classes.map((steps) => steps.filter((ready) => isTimely(ready, view.now)));
    const usual = this.among(this.isPrompt && timely.some(({ length }) => length > 0) ? timely : classes);
    const among = usual.length > 0 ? usual : late;
    const isEmpty = among.length === 0;
    if (this.mayCome(view, hits.length > 0 ? 1 : 0) && (isEmpty || this.random() < WAITS))
      return isEmpty ? WAIT : { wait: WAITING_MS };
    if (!isEmpty) return this.pick(among);
    // What has told something whenever it came so far may tell nothing at another time.
    return loud.length > 0 ? this.pick(loud) : { stop: 'infeasible', wanted };
  }

  sameTurn(answers: readonly ReadyStep[], { taken }: GateView): ReadyStep | null {
    const led = this.lead[taken.length];
    if (led !== undefined) return answers.find(({ name }) => name === led) ?? null;
    if (this.wrong) return null;
    // What promises tell of the answer before is still to come.
    const next = this.order.slice(this.reached, this.reached + (this.random() < BESIDE ? AHEAD : 1));
    const tells = ({ request }: ReadyStep) =>
      next.some((word) => this.knowledge.tellersOf(word).has(request.name));
    return answers.find(tells) ?? null;
  }

  private isLeft(request: string): boolean {
    const { left, reached } = this;
    if (!left) return false;
    if (!left.has(request)) {
      const words = this.random() < LEFT ? this.random() * 2 * (this.order.length - reached) : 0;
      left.set(request, reached + words);
    }
    return reached < left.get(request)!;
  }

  /** What may tell nothing, but may tell a later word as well, is mostly kept for that. */
  private isKept(request: string): boolean {
    const later = this.order.slice(this.reached + 1);
    return later.some((word) => this.knowledge.tellersOf(word).has(request)) && this.random() < KEPT;
  }

  /** Whether one of the next words, from the given one on, may have to be waited for. */
  private mayCome(view: GateView, from: number): boolean {
    if (!view.mayCome()) return false;
    for (const word of this.order.slice(this.reached + from, this.reached + AHEAD))
      for (const teller of this.knowledge.tellersOf(word)) if (view.mayCome(`D:${teller}`)) return true;
    return false;
  }

  /** Of classes, the most wanted first, mostly the first that is not empty. */
  private among(classes: readonly (readonly ReadyStep[])[]): readonly ReadyStep[] {
    const [first = [], ...others] = classes.filter((steps) => steps.length > 0);
    return others.length > 0 && this.random() < this.eagerness ? this.among(others) : first;
  }

  early(effects: readonly ReadyStep[], { taken }: GateView): ReadyStep | null {
    const led = this.lead[taken.length];
    if (led !== undefined) return effects.find(({ name }) => name === led) ?? null;
    return this.wrong || this.random() >= EARLY ? null : this.pick(effects);
  }

  /** The first that was issued, more often than not. */
  private pick(among: readonly ReadyStep[]): ReadyStep {
    if (this.random() < 0.3) return among[Math.floor(this.random() * among.length)] as ReadyStep;
    return among.reduce((best, ready) => (ready.order < best.order ? ready : best));
  }
}

/** One program under the gate. */
export class Follower {
  /** What the program asked of the host, by API. */
  readonly apis = new Set<string>();
  private readonly program: Program;
  private readonly directories: Directories;
  private readonly knowledge = new Knowledge();
  private readonly limits: RunLimits;
  private isLearned = false;

  constructor(program: Program, directories: Directories, loopback: Loopback = 'network') {
    this.program = program;
    this.limits = { ...LIMITS, loopback };
    this.directories = directories;
  }

  /** Runs the program once under a strategy. */
  async run(
    strategy: Strategy,
    hear: (word: string) => void = () => {},
    rules: Partial<GateRules> = {},
    keptAlive = false,
  ): Promise<GateResult<void>> {
    let turn: HostRequest | null = null;
    let isTold = false;
    const directory = this.directories.fresh();
    return runGated(
      () =>
        play(this.program, {
          directory,
          told: (word) => {
            isTold = true;
            this.knowledge.told(word, turn?.name ?? null);
            hear(word);
          },
        }),
      {
        strategy,
        rules,
        limits: this.limits,
        keptAlive,
        frames: noFrames,
        observer: {
          issued: ({ api }) => this.apis.add(api),
          touched: ({ api }) => this.apis.add(api),
          turn: (request) => {
            // Answers of name servers share turns, and promises tell of the one in ticks behind the other.
            turn = this.isLearned && isPutOff(request) ? null : request;
            isTold = false;
          },
          turnEnd: () => {
            if (turn && !isTold) this.knowledge.nothing(turn.name);
          },
        },
      },
    );
  }

  /** Looks for a run that tells `order`, in at most `most` runs and not for long; some rule may be off. */
  async follow(order: readonly string[], most: number, rules: Partial<GateRules> = {}): Promise<Followed> {
    let best: Followed = { tries: 0, steps: [], reached: -1 };
    const end = cpuTime() + PATIENCE_MS;
    for (let attempt = 1; attempt <= most && cpuTime() < end; attempt++) {
      const eagerness = EAGERNESS[(attempt - 1) % EAGERNESS.length] as number;
      const random = generator(attempt);
      const lead = attempt <= EAGERNESS.length || attempt % 4 === 0 ? [] : firstOf(best.steps, random);
      const strategy = new Follow(order, this.knowledge, eagerness, random, lead);
      // Some plain runs had the pool do something else meanwhile, which kept the loop alive.
      const run = await this.run(strategy, (word) => strategy.hear(word), rules, attempt % 2 === 0);
      const { reached, wrong } = strategy;
      const steps = run.steps.slice(0, run.stopped?.step);
      if (!wrong && reached === order.length && run.status === 'ok')
        return { tries: attempt, steps: run.steps, reached };
      if (reached >= best.reached) best = { tries: 0, steps, reached };
    }
    return best;
  }

  /** The natural order, in which no answers share a turn, to know which deliveries tell what. */
  async learn(): Promise<void> {
    await this.run(new ObservedStrategy());
    this.isLearned = true;
  }
}

/** It presumes neither that time passes nor that something was late. */
const isTimely = ({ step }: ReadyStep, now: number): boolean => step.pause === 0 && (step.due ?? now) <= now;

/** All but some of the last steps: what went wrong was often done not long before it showed. */
function firstOf(steps: readonly string[], random: () => number): readonly string[] {
  const undone = Math.ceil(random() < NOT_LONG ? steps.length ** random() : steps.length * random());
  return steps.slice(0, steps.length - undone);
}

/** Of this process so far, ms. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}
