import { betweenTurns, isDelivery, isNoEffect } from '../../data/schedule-step.ts';
import type { HostRequest } from '../../monitor/host/request.ts';
import type { GateView, ReadyStep, Stop, Strategy, Wait } from './strategy.ts';

/** The part of the program that must not be interrupted, as it is at this moment of the run. */
export interface Span {
  readonly open: boolean;
  owns(request: HostRequest): boolean;
  surrounds(request: HostRequest): boolean;
  /** Whether its task waits for one of these requests, by their names. */
  awaits(pending: ReadonlySet<string>): boolean;
  /** Others take steps meanwhile; where one of them does what must not happen in the span, it is not whole. */
  lend(): void;
  giveUp(): void;
}

/**
 * The fix check: an order as near as possible to the given one in which nothing of another task falls into a
 * span. While one is open only the steps of its task are taken, or else those of the operation around it. Where there is none,
 * a request of the task may wait for a thread that others have: they go on until it has one. Else the task waits for another one, and
 * the span is given up.
 */
export class AtomicStrategy implements Strategy {
  private readonly span: Span;
  private readonly rest: Strategy;
  /** Steps of the order that were not taken yet. */
  private readonly wanted: string[];

  constructor(steps: readonly string[], span: Span, rest: Strategy) {
    this.wanted = steps.filter((step) => !isNoEffect(step));
    this.span = span;
    this.rest = rest;
  }

  choose(enabled: readonly ReadyStep[], view: GateView): ReadyStep | Stop | Wait {
    let among = enabled;
    if (this.span.open) {
      const own = enabled.filter(({ request }) => this.span.owns(request));
      const near = own.length > 0 ? own : enabled.filter(({ request }) => this.span.surrounds(request));
      if (near.length > 0) among = near;
      else if (this.span.awaits(view.pendingNames())) {
        const freeing = enabled.filter(({ name }) => !isDelivery(name));
        if (freeing.length > 0) among = freeing;
        this.span.lend();
      } else this.span.giveUp();
    }
    const free = among.filter(({ name }) => this.place(name) < 0);
    const next = betweenTurns(this.wanted[0] ?? '');
    const hit = among.find(({ name }) => name === next) ?? (free.length > 0 ? null : this.earliest(among));
    if (!hit) return this.rest.choose(free, view);
    this.wanted.splice(this.place(hit.name), 1);
    return hit;
  }

  early(effects: readonly ReadyStep[]): ReadyStep | null {
    const among = this.span.open ? effects.filter(({ request }) => this.span.owns(request)) : effects;
    const hit = among.find(({ name }) => name === this.wanted[0]);
    if (hit) this.wanted.shift();
    return hit ?? null;
  }

  sameTurn(answers: readonly ReadyStep[]): ReadyStep | null {
    return this.early(answers);
  }

  /** Of steps that all have their place in the order, the one whose place comes first. */
  private earliest(among: readonly ReadyStep[]): ReadyStep {
    return among.reduce((best, step) => (this.place(step.name) < this.place(best.name) ? step : best));
  }

  private place(name: string): number {
    return this.wanted.findIndex((wanted) => betweenTurns(wanted) === name);
  }
}
