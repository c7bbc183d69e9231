/** Which requests of a test overlap: each with itself, as when a user clicks twice, and with those that come soon behind it. */
import type { HttpAnswer, HttpExchange, RequestPlan, SentRequest } from '../../data/exchange.ts';
import type { PlannedOverlap } from '../../data/overlap.ts';
import { textOf, WORD, wordsOf } from './words.ts';

/** So many requests that change something may lie between two that overlap. */
const APART = 3;
/** Requests with more are not sent again, bytes. */
const MOST_BODY = 1_000_000;
/** Longer bodies are cut where a request is named. */
const MOST_TEXT = 60;
/** As generators of ids make them. */
const ID = /^(?=.*\d)[\da-f-]{16,}$/i;
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Nearest first. */
export function plannedRequests(exchanges: readonly HttpExchange[]): PlannedRequests[] {
  const all = exchanges.flatMap((_, at) => [
    ...pair(exchanges, at, at),
    ...followers(exchanges, at).flatMap((other) => pair(exchanges, at, other)),
  ]);
  return all.sort((a, b) => a.distance - b.distance).map(({ planned }) => planned);
}

export const isRead = ({ request: { method } }: HttpExchange): boolean => READS.has(method);

/** It came to its end, and can be kept. A stream of events has none. */
function isSendable(exchange: HttpExchange): exchange is HttpExchange & { readonly answer: HttpAnswer } {
  const { request, answer } = exchange;
  return answer !== null && (request.body?.length ?? 0) <= MOST_BODY;
}

/** Those that may overlap with the one at this place, because they need nothing that comes of it. */
function followers(exchanges: readonly HttpExchange[], at: number): number[] {
  const found: number[] = [];
  let writes = 0;
  for (let other = at + 1; other < exchanges.length && writes < APART; other++) {
    const each = exchanges[other]!;
    if (!isRead(each)) writes += 1;
    if (isRead(each) && isRead(exchanges[at]!)) continue;
    if (each.program === exchanges[at]!.program && !needs(exchanges, each.request, at, other))
      found.push(other);
  }
  return found;
}

/** The request says something that is known from answers `from` … `to` only. */
function needs(exchanges: readonly HttpExchange[], request: SentRequest, from: number, to: number): boolean {
  const text = textOf(request);
  const before = exchanges.slice(0, from + 1);
  const known = before.map((each) => textOf(each.request)).join('\n');
  const answered = new Set(before.slice(0, from).flatMap(answerWords));
  return exchanges
    .slice(from, to)
    .flatMap(answerWords)
    .some((word) => text.includes(word) && !answered.has(word) && !known.includes(word));
}

const answerWords = ({ answer }: HttpExchange): string[] => (answer ? Object.values(wordsOf(answer)) : []);

type PlannedRequests = PlannedOverlap & { readonly plan: RequestPlan };

interface Near {
  readonly distance: number;
  readonly planned: PlannedRequests;
}

function pair(exchanges: readonly HttpExchange[], at: number, other: number): Near[] {
  const first = exchanges[at]!;
  const second = exchanges[other]!;
  if (!isSendable(first) || !isSendable(second) || (isRead(first) && isRead(second))) return [];
  // Beside others it may come at another place next time.
  if (first.overlaps) return [];
  const plan: RequestPlan = {
    kind: 'requests',
    at,
    calls: [
      { ...named(exchanges, at, at), request: null },
      { ...named(exchanges, at, other), request: at === other ? null : second.request },
    ],
    looks: looksOf(exchanges, at, other),
    before: exchanges.slice(0, at).map(({ answer }) => (answer ? wordsOf(answer) : {})),
    answers: [wordsOf(first.answer), wordsOf(second.answer)],
  };
  const name = plan.calls.map(({ text }) => text).join(' ∥ ');
  const setup = exchanges.slice(0, at).map((_, before) => shapeOf(exchanges, before, before));
  const shape = JSON.stringify([...setup, '', shapeOf(exchanges, at, at), shapeOf(exchanges, at, other)]);
  // One path, asked for by one client.
  const keys = clientOf(first) === clientOf(second) && pathOf(first) === pathOf(second) ? 'same' : 'other';
  return [{ distance: other - at, planned: { plan, name, keys, shape, group: shape } }];
}

/** What the test reads, wherever it does so; what it could not know then is left out. */
function looksOf(exchanges: readonly HttpExchange[], at: number, other: number): RequestPlan['looks'] {
  const seen = new Set<string>();
  return exchanges.flatMap((each, place) => {
    const { request, program } = each;
    if (!isRead(each) || !isSendable(each) || program !== exchanges[at]!.program) return [];
    const of = place <= at ? null : sourceOf(exchanges, request, at, other, place);
    const key = textOf(request) + request.method;
    if (of === undefined || seen.has(key)) return [];
    seen.add(key);
    return [
      { name: `${request.method} ${new GenericText(exchanges.slice(0, place)).text(each)}`, request, of },
    ];
  });
}

/** The call whose answer a request needs; null: none; undefined: it needs what does not happen. */
function sourceOf(
  exchanges: readonly HttpExchange[],
  request: SentRequest,
  at: number,
  other: number,
  place: number,
): number | null | undefined {
  if (!needs(exchanges, request, at, place)) return null;
  const isEnough = (from: number, to: number) => !needs(exchanges, request, from, to) || undefined;
  // Only what the one call has answered is missing.
  if (isEnough(at + 1, place)) return 0;
  if (other > at && !needs(exchanges, request, at, other) && isEnough(other + 1, place)) return 1;
  return undefined;
}

function named(exchanges: readonly HttpExchange[], known: number, at: number) {
  const each = exchanges[at]!;
  const { method } = each.request;
  const generic = new GenericText(exchanges.slice(0, known));
  const [path, text] = [generic.path(each), generic.text(each)];
  return { operation: `${method} ${path}`, text: `${method} ${text}`, reads: isRead(each) };
}

/** Requests without the words that are others in each run. */
class GenericText {
  private readonly told: ReadonlySet<string>;

  constructor(before: readonly HttpExchange[]) {
    this.told = new Set(before.flatMap(answerWords));
  }

  /** Numbers name one thing of many as well. */
  path(exchange: HttpExchange): string {
    return pathOf(exchange)
      .split('/')
      .map((part) => (/^\d+$/.test(part) ? '…' : this.word(part)))
      .join('/');
  }

  text({ request: { url, body } }: HttpExchange): string {
    const told = body === null ? '' : Buffer.from(body, 'latin1').toString('utf8').replace(/\s+/g, ' ');
    const cut = told.length > MOST_TEXT ? `${told.slice(0, MOST_TEXT)}…` : told;
    return `${url} ${cut}`.trimEnd().replace(WORD, (word) => this.word(word));
  }

  private word(word: string): string {
    return ID.test(word) || this.told.has(word) ? '…' : word;
  }
}

const pathOf = ({ request: { url } }: HttpExchange): string => url.split('?', 1)[0]!;
const clientOf = ({ request: { headers } }: HttpExchange): string =>
  JSON.stringify([headers['authorization'], headers['cookie']]);

/** Equal for requests that say the same but for words of the answers that were `known`. */
function shapeOf(exchanges: readonly HttpExchange[], known: number, at: number): string {
  const { method, url, headers, body } = exchanges[at]!.request;
  let text = [method, url, headers['authorization'] ?? '', headers['cookie'] ?? '', body ?? ''].join('\n');
  for (const [before, { answer }] of exchanges.slice(0, known).entries())
    for (const [place, word] of Object.entries(answer ? wordsOf(answer) : {}))
      text = text.replaceAll(word, `<${before} ${place}>`);
  return text;
}
