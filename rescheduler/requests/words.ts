/**
 * What a later request may have taken from an earlier answer: ids, tokens, cookies. They are other ones in each run, so a
 * recorded request is sent with those of today in their places. ReqRacer (OOPSLA 2021, section 4) looks for such dependences as
 * well; here a word is enough, as a wrong one costs a scenario and never a false report: serial orders get the same words.
 */
import type { HttpAnswer, SentRequest, Words } from '../../data/exchange.ts';

/** Shorter words are found in too many places. */
const SHORTEST = 6;
export const WORD = /[\w%.~+-]+/g;
/** Words are cut where an answer holds more of them. */
const MOST_WORDS = 2000;
/** Headers of answers that no client sends back. */
const OF_ANSWER: ReadonlySet<string> = new Set([
  ...[
    'date',
    'etag',
    'content-length',
    'content-type',
    'connection',
    'keep-alive',
    'vary',
    'expires',
    'last-modified',
  ],
]);

/** The words of an answer, by their places. */
export function wordsOf({ headers, body }: HttpAnswer): Words {
  const words: Record<string, string> = {};
  let left = MOST_WORDS;
  const text = (place: string, value: string): void => {
    for (const [at, [word]] of [...value.matchAll(WORD)].entries())
      if (word.length >= SHORTEST && left-- > 0) words[`${place}#${at}`] = word;
  };
  const inside = (place: string, value: unknown): void => {
    if (typeof value === 'string') text(place, value);
    else if (typeof value === 'number') text(place, String(value));
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) inside(`${place}.${key}`, each);
  };
  for (const [name, value] of Object.entries(headers))
    if (!OF_ANSWER.has(name)) inside(`header ${name}`, value);
  inside('body', parsedBody(body));
  return words;
}

/** JSON as what it stands for, all else as it is. */
export function parsedBody(body: string): unknown {
  const text = Buffer.from(body, 'latin1').toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What a recorded request says, in which words are looked for. */
export const textOf = ({ url, headers, body }: SentRequest): string =>
  [url, ...Object.values(headers).flat(), body ?? ''].join('\n');

/** The request with the words of today in the places of the recorded ones. */
export function withWords(
  request: SentRequest,
  recorded: readonly Words[],
  today: readonly Words[],
): SentRequest {
  const changed = new Map<string, string>();
  for (const [at, words] of recorded.entries())
    for (const [place, word] of Object.entries(words)) {
      const now = today[at]?.[place];
      if (now !== undefined && now !== word && !changed.has(word)) changed.set(word, now);
    }
  if (changed.size === 0) return request;
  // Longer ones first: a shorter one may be a part of them.
  const words = [...changed.keys()].sort((a, b) => b.length - a.length);
  const any = new RegExp(words.map((word) => word.replace(/[.+*?^$()[\]{}|\\/]/g, '\\$&')).join('|'), 'g');
  const replaced = (text: string): string => text.replace(any, (word) => changed.get(word)!);
  const { url, headers, body } = request;
  return {
    ...request,
    url: replaced(url),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(replaced) : replaced(value),
      ]),
    ),
    body: body === null ? null : replaced(body),
  };
}
