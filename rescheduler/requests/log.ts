/** The requests that a test sends to servers of its own process, one behind the other as they come. */
import type { HttpAnswer, HttpExchange, SentRequest } from '../../data/exchange.ts';
import type { OverlapLog } from '../../data/overlap.ts';
import { onArrival, type RequestArrival } from '../../monitor/exchanges/arrivals.ts';
import { headOf, overhearAnswer, overhearBody } from '../../monitor/exchanges/messages.ts';
import { watchServers } from '../../monitor/exchanges/servers.ts';
import type { OperationLog } from '../held/held-test.ts';

/** What becomes of a request; `at`: its place. True: it is kept back. */
type KeepBack = (at: number, arrival: RequestArrival) => boolean;

interface Heard {
  readonly head: Omit<SentRequest, 'body'>;
  readonly body: () => string | null;
  readonly program: number;
  readonly overlaps: boolean;
  answer: HttpAnswer | null;
}

export class RequestLog implements OperationLog {
  private readonly heard: Heard[] = [];
  private readonly keepsBack: KeepBack;
  /** Programs whose requests are under way, each with how many. */
  private readonly open = new Map<Function, number>();
  /** By the text of what handles the requests: frameworks make a new function for each server of a program. */
  private readonly programs = new Map<string, number>();

  constructor(keepsBack: KeepBack = () => false) {
    this.keepsBack = keepsBack;
  }

  begin(): void {
    watchServers();
    onArrival((arrival) => this.hear(arrival));
  }

  end(): void {
    onArrival(null);
  }

  get log(): OverlapLog {
    return { kind: 'requests', exchanges: this.exchanges };
  }

  /** Those that were let through. */
  get exchanges(): HttpExchange[] {
    return this.heard.map(({ head, body, program, overlaps, answer }) => ({
      request: { ...head, body: body() },
      ...{ program, overlaps, answer },
    }));
  }

  private hear(arrival: RequestArrival): void {
    const { handler, request, response, port } = arrival;
    // One program asks another one while it answers: that is not the test.
    if (this.open.size > 0 && !this.open.has(handler)) {
      arrival.serve();
      return;
    }
    if (this.keepsBack(this.heard.length, arrival)) return;
    const heard: Heard = {
      ...{ head: headOf(request, port), body: overhearBody(request), answer: null },
      program: this.programOf(handler),
      overlaps: this.open.size > 0,
    };
    this.heard.push(heard);
    this.count(handler, 1);
    let isOver = false;
    const over = (): void => {
      if (!isOver) this.count(handler, -1);
      isOver = true;
    };
    overhearAnswer(response, (answer) => {
      heard.answer = answer;
      over();
    });
    response.once('close', over);
    arrival.serve();
  }

  private count(handler: Function, by: number): void {
    const now = (this.open.get(handler) ?? 0) + by;
    if (now > 0) this.open.set(handler, now);
    else this.open.delete(handler);
  }

  private programOf(handler: Function): number {
    const text = String(handler);
    const known = this.programs.get(text) ?? this.programs.size;
    this.programs.set(text, known);
    return known;
  }
}
