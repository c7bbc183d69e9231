import type { GateView, ReadyStep, Strategy } from './strategy.ts';

/**
 * The order in which nothing is late: requests take effect at once in issue order and are delivered in that
 * order; timers that are due fire together; immediates run once per round of the loop; the clock moves on to
 * the next timer only when nothing else can happen.
 */
export class ObservedStrategy implements Strategy {
  /** Requests issued up to here are delivered before the next immediates: one poll phase. */
  private polled = -1;

  choose(enabled: readonly ReadyStep[], _view?: GateView): ReadyStep {
    if (enabled.length === 1) return this.took(enabled[0]!, enabled);
    const effect = earliest(enabled, 'effect');
    if (effect) return effect;
    // Where a timer is due, an answer or an immediate before it would presume that something was late.
    const prompt = enabled.filter((ready) => ready.step.pause === 0);
    const among = prompt.length > 0 ? prompt : enabled;
    const others = among.filter(({ request }) => !(request.kind === 'external' && request.trails));
    const delivery = earliest(others, 'deliver') ?? earliest(among, 'deliver');
    const immediate = earliest(among, 'immediate');
    if (delivery && (!immediate || delivery.order <= this.polled)) return delivery;
    if (immediate) return this.took(immediate, enabled);
    return earliest(among, 'close') ?? natural(among);
  }

  /** While the program waits within a turn, what it asked for before is done. */
  early(effects: readonly ReadyStep[], { slept }: GateView): ReadyStep | null {
    return (
      (slept > 0 &&
        earliest(
          effects.filter(({ order }) => order <= slept),
          'effect',
        )) ||
      null
    );
  }

  private took(step: ReadyStep, enabled: readonly ReadyStep[]): ReadyStep {
    if (step.step.kind === 'immediate')
      for (const other of enabled) this.polled = Math.max(this.polled, other.order);
    return step;
  }
}

function earliest(enabled: readonly ReadyStep[], kind: ReadyStep['step']['kind']): ReadyStep | undefined {
  let best: ReadyStep | undefined;
  for (const ready of enabled)
    if (ready.step.kind === kind && (!best || ready.order < best.order)) best = ready;
  return best;
}

/** The timer that fires first when nothing pauses. */
function natural(enabled: readonly ReadyStep[]): ReadyStep {
  let best = enabled[0] as ReadyStep;
  for (const ready of enabled) if (before(ready, best)) best = ready;
  return best;
}

function before(a: ReadyStep, b: ReadyStep): boolean {
  if (a.step.pause !== b.step.pause) return a.step.pause < b.step.pause;
  const [dueA, dueB] = [a.step.due ?? 0, b.step.due ?? 0];
  return dueA === dueB ? a.order < b.order : dueA < dueB;
}
