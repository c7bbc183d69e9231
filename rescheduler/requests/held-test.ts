/**
 * A test that is carried out up to one of its requests, which is kept from the server: state as fresh as the test makes it, and
 * what overlaps is sent in the place of that request. The test is left there; its verdict is not wanted.
 */
import type { HttpAnswer, RequestPlan, SentRequest, Words } from '../../data/exchange.ts';
import type { RequestArrival } from '../../monitor/exchanges/arrivals.ts';
import { bodyOf, headOf } from '../../monitor/exchanges/messages.ts';
import { endsSoon, started } from '../held/body.ts';
import type { HeldOperations, HeldTest } from '../held/held-test.ts';
import { NotHeld } from '../held/not-held.ts';
import { RequestLog } from './log.ts';
import { parsedBody, withWords, wordsOf } from './words.ts';

const UNAVAILABLE = 503;

export class HeldRequestTest implements HeldTest {
  private readonly plan: RequestPlan;
  private readonly log: RequestLog;
  private readonly reached: Promise<RequestArrival>;
  private readonly kept: RequestArrival[] = [];
  private over: Promise<unknown> = Promise.resolve();
  private isLeft = false;

  constructor(plan: RequestPlan) {
    this.plan = plan;
    let reach!: (arrival: RequestArrival) => void;
    this.reached = new Promise((resolve) => (reach = resolve));
    this.log = new RequestLog((at, arrival) => {
      if (at < plan.at) return false;
      if (this.isLeft) refuse(arrival);
      else this.kept.push(arrival);
      reach(arrival);
      return true;
    });
  }

  /**
   * Carries the test out until its request comes.
   * @throws NotHeld: it ends before that, or sends another one.
   */
  async carryOut(body: () => unknown): Promise<HeldRequests> {
    this.log.begin();
    const ended = started(body);
    this.over = ended.catch(() => {});
    const end = ended.then(
      () => ': it ends before that',
      (error: unknown) => `: ${String(error)}`,
    );
    const first = await Promise.race([this.reached, end]);
    const { at, calls, before } = this.plan;
    if (typeof first === 'string')
      throw new NotHeld(`the test does not send its request ${at + 1} here${first}`);
    const { request, port, send } = first;
    const sent = { ...headOf(request, port), body: (await bodyOf(request)) || null };
    if (!isLike(calls[0]!.operation, sent))
      throw new NotHeld(`the test sends ${sent.method} ${sent.url} here, and sent ${calls[0]!.text} before`);
    const today = this.log.exchanges.map(({ answer }) => (answer ? wordsOf(answer) : {}));
    const requests = calls.map((call) => (call.request ? withWords(call.request, before, today) : sent));
    return new HeldRequests(this.plan, requests, today, send);
  }

  /** Lets the test go on to its end without what it asks for; false: it does not end soon. */
  async release(): Promise<boolean> {
    this.isLeft = true;
    for (const arrival of this.kept.splice(0)) refuse(arrival);
    const inTime = await endsSoon(this.over);
    this.log.end();
    return inTime;
  }
}

/** The state of such a scenario: what is sent, and to whom. */
export class HeldRequests implements HeldOperations {
  private readonly plan: RequestPlan;
  private readonly requests: readonly SentRequest[];
  private readonly today: readonly Words[];
  private readonly send: (request: SentRequest) => Promise<HttpAnswer>;
  private readonly answers: (Words | undefined)[] = [];

  constructor(
    plan: RequestPlan,
    requests: readonly SentRequest[],
    today: readonly Words[],
    send: (request: SentRequest) => Promise<HttpAnswer>,
  ) {
    this.plan = plan;
    this.requests = requests;
    this.today = today;
    this.send = send;
  }

  /** Sends one of the calls; gives what of the answer counts. */
  async call(at: number): Promise<unknown> {
    const answer = await this.send(this.requests[at]!);
    this.answers[at] = wordsOf(answer);
    return told(answer);
  }

  /** What the test reads anyway, one behind the other. */
  async look(): Promise<unknown> {
    const { looks, before, answers } = this.plan;
    const seen: Record<string, unknown> = {};
    for (const { name, request, of } of looks) {
      const needed = of === null ? [] : this.answersLike(of);
      for (const own of needed.length === 0 ? [null] : needed) {
        const recorded = own === null ? before : [...before, answers[own]!];
        const today = own === null ? this.today : [...this.today, this.answers[own] ?? {}];
        const place = [name, ...(own === null || needed.length === 1 ? [] : [`of ${'AB'[own]}`])].join(' ');
        seen[unused(place, seen)] = await this.send(withWords(request, recorded, today)).then(
          told,
          (error: unknown) => error,
        );
      }
    }
    return seen;
  }

  /** Where one and the same request overlaps with itself, all of its answers are looked for. */
  private answersLike(of: number): number[] {
    const { calls } = this.plan;
    return calls.flatMap((call, at) => (call.request === calls[of]!.request || at === of ? [at] : []));
  }
}

/** Parts of a path that are other ones in each run are left out of what an operation is called. */
function isLike(operation: string, { method, url }: SentRequest): boolean {
  const wanted = operation.split(/[ /]/);
  const given = `${method} ${url.split('?', 1)[0]}`.split(/[ /]/);
  return wanted.length === given.length && wanted.every((part, at) => part === '…' || part === given[at]);
}

/** The same thing may be asked for by several clients. */
function unused(name: string, seen: Readonly<Record<string, unknown>>): string {
  let times = 1;
  const next = (): string => (times === 1 ? name : `${name} (${times})`);
  while (next() in seen) times += 1;
  return next();
}

/** Status, body, and where else it is. Lines are told apart, so that what differs in one is not all of it. */
function told({ status, headers: { location }, body }: HttpAnswer): unknown {
  const value = parsedBody(body);
  const lines = typeof value === 'string' && value.includes('\n') ? value.split('\n') : value;
  return {
    status,
    ...(location === undefined ? {} : { location }),
    ...(lines === '' ? {} : { body: lines }),
  };
}

const refuse = ({ response }: RequestArrival): unknown =>
  response.writeHead(UNAVAILABLE, { connection: 'close' }).end();
