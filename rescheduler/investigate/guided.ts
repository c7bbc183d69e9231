/**
 * Search that is guided by what is new (as greybox fuzzing is by coverage): an order that came to requests which no order before it
 * had is begun again and left by chance near the place where they came, so that what lies behind several unlikely steps is
 * reached one step after the other. The observed order is one of those that are begun: what has to be late only near its end is
 * hardly met where everything is late from the first step on.
 */
import { generator } from '../../data/generator.ts';
import type { RunResult } from '../../data/run.ts';
import { requestOf } from '../../data/schedule-step.ts';

/** An order that is begun again. */
interface Beginning {
  readonly steps: readonly string[];
  /** Where the first request that was new comes; the end of the observed order. */
  readonly news: number;
  /** How often it was begun. */
  begun: number;
}

/** So many pairs of requests that are not observed count as something new of their own. */
const MOST_PAIRS = 2000;
/** How often an order is left where its news come, and not anywhere before. */
const AT_NEWS = 0.5;
/** How often an order is not left, but one of its steps comes later. */
const LATER = 0.5;
/** How often that is near its news, and how near. */
const NEAR = 0.7;
const NEARBY = 12;
/** So many orders are kept to be begun again, and each so many times the observed one is. */
const MOST_KEPT = 200;
const OBSERVED_EACH = 4;

export class Guided {
  private readonly natural: ReadonlySet<string>;
  private readonly known = new Set<string>();
  private pairs = 0;
  private readonly observed: Beginning;
  private readonly beginnings: Beginning[] = [];
  private asked = 0;

  /** `natural`: the steps of the observed order. */
  constructor(natural: readonly string[]) {
    this.natural = new Set(natural.map(requestOf));
    this.observed = { steps: natural, news: natural.length, begun: 0 };
  }

  /** Some order came to requests that the observed one does not have. */
  get hasNews(): boolean {
    return this.beginnings.length > 0;
  }

  look({ outcome, steps }: Pick<RunResult, 'outcome' | 'steps'>): void {
    if (outcome !== 'pass') return;
    const others = new Set<string>();
    let news = -1;
    for (const [at, step] of steps.entries()) {
      const name = requestOf(step);
      if (name === '' || this.natural.has(name) || others.has(name)) continue;
      const isNew = [name, ...this.pairsOf(name, others)].filter((one) => !this.known.has(one));
      for (const one of isNew) this.known.add(one);
      others.add(name);
      if (isNew.length > 0) news = at;
    }
    if (news < 0) return;
    this.beginnings.push({ steps, news, begun: 0 });
    if (this.beginnings.length > MOST_KEPT) this.beginnings.shift();
  }

  /** The steps that an order is to begin with: of those orders that were begun least the one that came last. */
  next(seed: number): readonly string[] {
    const others = this.asked++ % OBSERVED_EACH === 0 ? [] : this.beginnings;
    const [first = this.observed] = others;
    const best = others.reduce((least, one) => (one.begun <= least.begun ? one : least), first);
    best.begun += 1;
    const random = generator(seed);
    if (random() < LATER) return later(best, random);
    const isThere = best.news < best.steps.length && random() < AT_NEWS;
    return best.steps.slice(0, isThere ? best.news : Math.floor(random() * best.news));
  }

  /** What is rare by itself may be rarer still together. */
  private pairsOf(name: string, others: ReadonlySet<string>): string[] {
    const pairs: string[] = [];
    for (const other of others) {
      if (this.pairs >= MOST_PAIRS) break;
      const pair = [name, other].sort().join('\n');
      if (this.known.has(pair)) continue;
      this.pairs += 1;
      pairs.push(pair);
    }
    return pairs;
  }
}

/** The same order, but that one step comes behind another one that followed it. */
function later({ steps, news }: Beginning, random: () => number): readonly string[] {
  const upTo = (count: number): number => Math.floor(random() * count);
  const isNear = random() < NEAR;
  const from = isNear ? Math.max(0, Math.min(news, steps.length - 1) - upTo(NEARBY)) : upTo(steps.length);
  const behind = Math.min(
    steps.length - 1,
    from + 1 + (isNear ? upTo(2 * NEARBY) : upTo(steps.length - from)),
  );
  return [
    ...steps.slice(0, from),
    ...steps.slice(from + 1, behind + 1),
    steps[from]!,
    ...steps.slice(behind + 1),
  ];
}
