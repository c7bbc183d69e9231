/** Scripts for the model and for Node's own algorithm. */
import { LoopModel, type Step } from '../../../data/feasibility/exact/loop.ts';
import { ALL_RULES } from '../../../data/feasibility/rules.ts';
import { type Action, type Choose, runNode, type Script, TICKS } from './node-timers.ts';

/** A script of so many items, which chance makes. */
export function scriptOf(
  size: number,
  int: (n: number) => number,
  kinds: readonly Script['items'][number]['kind'][],
): Script {
  const items = Array.from({ length: size }, () => ({
    kind: kinds[int(kinds.length)]!,
    delay: 1 + int(4),
    ref: int(4) > 0,
  }));
  const first: Action[] = [];
  const then: Action[][] = items.map(() => []);
  items.forEach((_, item) => {
    const above = int(item + 1) - 1;
    (above < 0 || int(2) === 0 ? first : then[above]!).push({ what: 'start', item, ticking: int(4) === 0 });
  });
  for (let n = int(4); n > 0; n--)
    then[int(size)]!.push({
      ...{ what: int(3) > 0 ? 'refresh' : 'clear', item: int(size), ticking: int(4) === 0 },
    });
  // Node would start something that is pending once more.
  const isTimer = ({ item }: Action) => items[item]!.kind === 'timer' || items[item]!.kind === 'interval';
  const isFine = (action: Action) => action.what === 'start' || isTimer(action);
  return { items, first: first.filter(isFine), then: then.map((actions) => actions.filter(isFine)) };
}

/** A script under the model. */
export class Played {
  readonly model = new LoopModel({ rules: { ...ALL_RULES, bounded: false } });
  private readonly script: Script;
  private readonly ids: number[] = [];
  private readonly pending = new Set<number>();
  private readonly cleared = new Set<number>();
  private readonly fired: number[];
  private lastId = 0;
  private firing = -1;

  constructor(script: Script) {
    this.script = script;
    this.model.keptAlive = true;
    this.fired = script.items.map(() => 0);
    this.act(script.first);
  }

  itemOf({ id }: Step): number {
    return this.ids.findIndex((one, item) => one === id && this.pending.has(item));
  }

  steps(): Step[] {
    return this.model.enabled();
  }

  take(step: Step): void {
    const item = this.itemOf(step);
    const { kind } = this.script.items[item]!;
    this.model.take(step);
    this.pending.delete(item);
    this.firing = item;
    const actions = this.fired[item]!++ === 0 ? this.script.then[item]! : [];
    this.act(actions.filter(({ ticking }) => !ticking));
    if (kind === 'interval') {
      if (this.fired[item] === TICKS) this.carryOut({ what: 'clear', item, ticking: false });
      if (!this.cleared.has(item)) {
        if (this.pending.has(item)) this.model.cancelTimer(this.ids[item]!, true);
        this.startTimer(item, { repeats: true, again: true });
      }
    }
    this.firing = -1;
    this.act(actions.filter(({ ticking }) => ticking));
  }

  private act(actions: readonly Action[]): void {
    for (const action of [...actions].sort((a, b) => Number(a.ticking) - Number(b.ticking)))
      this.carryOut(action);
  }

  private carryOut({ what, item, ticking }: Action): void {
    const { kind } = this.script.items[item]!;
    if (what === 'start') {
      if (kind === 'immediate') this.model.startImmediate(this.next(item));
      else if (kind === 'answer') this.model.arrive(this.next(item));
      else this.startTimer(item, { ticking, repeats: kind === 'interval' });
      return;
    }
    const id = this.ids[item];
    if (id === undefined || this.cleared.has(item)) return;
    const isPending = this.pending.has(item);
    if (what === 'clear') {
      if (isPending || this.firing === item) this.model.cancelTimer(id, false, ticking);
      this.pending.delete(item);
      // Behind its callback Node takes it for gone, and may start it again.
      if (isPending || this.firing === item) this.cleared.add(item);
    } else {
      if (isPending) this.model.cancelTimer(id, true, ticking);
      this.startTimer(item, { ticking, repeats: kind === 'interval' });
    }
  }

  private startTimer(item: number, how: { ticking?: boolean; repeats: boolean; again?: boolean }): void {
    const { delay, ref } = this.script.items[item]!;
    this.model.startTimer(this.next(item), delay, { ref, ...how });
  }

  private next(item: number): number {
    this.pending.add(item);
    return (this.ids[item] = ++this.lastId);
  }
}

/** Where the model first forbids an order; -1: nowhere. */
export function refusedAt(script: Script, order: readonly number[]): number {
  const played = new Played(script);
  for (const [at, item] of order.entries()) {
    const step = played.steps().find((one) => played.itemOf(one) === item);
    if (!step) return played.model.incomplete ? -1 : at;
    played.take(step);
  }
  return -1;
}

/** An order that the model allows. */
export function orderOf(script: Script, int: (n: number) => number): number[] {
  const played = new Played(script);
  const order: number[] = [];
  for (let steps = played.steps(); steps.length > 0; steps = played.steps()) {
    const step = steps[int(steps.length)]!;
    order.push(played.itemOf(step));
    played.take(step);
  }
  return order;
}

/** The order in which Node runs a script. */
export function observe(script: Script, choose: Choose): number[] {
  const order: number[] = [];
  runNode(script, choose, (item) => {
    order.push(item);
    return true;
  });
  return order;
}

/** Whether Node can run it in this order; null where that was not found out in so many runs. */
export function canShow(script: Script, order: readonly number[], most: number): boolean | null {
  const choices: { value: number; readonly n: number }[] = [];
  for (let run = 0; run < most; run++) {
    let at = 0;
    let told = 0;
    runNode(
      script,
      (n) => {
        if (at === choices.length) choices.push({ value: 0, n });
        return choices[at++]!.value;
      },
      (item) => {
        if (order[told] !== item) return false;
        told += 1;
        return told < order.length;
      },
    );
    if (told === order.length) return true;
    choices.length = at;
    while (choices.length > 0 && choices.at(-1)!.value === choices.at(-1)!.n - 1) choices.pop();
    if (choices.length === 0) return false;
    choices.at(-1)!.value += 1;
  }
  return null;
}
