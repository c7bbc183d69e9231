/** Outcomes beside each other, a line each, in which only what differs is told. */
import { isDeepStrictEqual } from 'node:util';
import type { Canonical, CanonicalOutcome, CanonicalResult } from '../../data/scenario.ts';
import { canonical, isList, shown, shownError } from './canonical.ts';
import { isAt, type PartPath } from './compare.ts';
import { FOLDED, folded, isFolded, type Samples } from './fold.ts';

/** What differs is cut where it is longer. */
const MOST_TEXT = 300;
const NOTHING = canonical(undefined);

export interface OutcomeRow {
  /** The calls that were made, in the order in which they are told. */
  readonly of: readonly number[];
  /** Some executions; what differs between them may be anything. */
  readonly samples: readonly CanonicalOutcome[];
}

export interface OutcomeRows {
  /** One for each outcome. */
  readonly rows: readonly string[];
  /** What all have alike, which is not told in them. */
  readonly alike: string;
}

/** @param mask parts that may be anything, as the user says */
export function outcomeRows(
  outcomes: readonly OutcomeRow[],
  texts: readonly string[],
  mask: readonly string[] = [],
): OutcomeRows {
  const masks = mask.map((path) => path.split('.'));
  const told = outcomes.map((row) => ({
    ...row,
    samples: row.samples.map((sample) =>
      blank(sample as unknown as Canonical, masks),
    ) as unknown as PartedOutcome[],
  }));
  const cells = told.map(() => new Map<number, string>());
  const alike: string[] = [];
  for (const [call, text] of texts.entries()) {
    const having = [...told.keys()].filter((row) => told[row]!.of.includes(call));
    const results = having.map((row) => told[row]!.samples.map(({ results }) => results[call]!));
    const kinds = new Set(results.flat().map(resultKind));
    const inside = results.map((each) => each.map(resultPart) as unknown as Samples);
    const parts = kinds.size === 1 ? folded(inside) : inside.map(([first]) => first);
    const [first] = results[0]!;
    const said = parts.map((part, at) => `${text} ${resultText(results[at]![0]!, part)}`);
    if (kinds.size === 1 && parts.every(isFolded)) alike.push(`${text} ${resultText(first!, inside[0]![0])}`);
    else for (const [at, row] of having.entries()) cells[row]!.set(call, said[at]!);
  }
  const thens = told.map(({ samples }) => samples.map(({ then }) => then) as unknown as Samples);
  const parts = folded(thens);
  const isSameThen = parts.every(isFolded);
  if (isSameThen) alike.push(`then ${shown(thens[0]![0])}`);
  const rows = told.map(({ of }, row) => {
    const calls = of.flatMap((call) => cells[row]!.get(call) ?? []);
    return [...calls, ...(isSameThen ? [] : [`then ${shown(parts[row]!)}`])].join('; ');
  });
  // What does not fit is how parts stand to each other.
  if (rows.every((row) => row === '')) return { rows: told.map((row) => cut(whole(row, texts))), alike: '' };
  return { rows: rows.map(cut), alike: cut(alike.join('; ')) };
}

type PartedOutcome = { readonly results: readonly CanonicalResult[]; readonly then: Canonical };

function whole(
  { of, samples }: { of: readonly number[]; samples: readonly PartedOutcome[] },
  texts: readonly string[],
) {
  const [{ results, then }] = samples as [PartedOutcome];
  const told = of.map((call) => `${texts[call]} ${resultText(results[call]!, resultPart(results[call]!))}`);
  return [...told, `then ${shown(then)}`].join('; ');
}

/** The value with nothing told of the parts that are masked. */
function blank(value: Canonical, masks: readonly PartPath[], path: PartPath = []): Canonical {
  if (masks.some((mask) => isAt(mask, path))) return FOLDED;
  if (masks.length === 0 || typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((each, at) => blank(each, masks, [...path, String(at)]));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, blank(each, masks, [...path, key])]),
  );
}

const cut = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text);

const resultKind = (result: CanonicalResult): string =>
  typeof result === 'string' ? result : Object.keys(result).join();

/** What of it can be told in part. An error is told as a whole. */
function resultPart(result: CanonicalResult): Canonical {
  if (typeof result === 'string') return result;
  return 'value' in result ? result.value : result.rejects;
}

function resultText(result: CanonicalResult, part: Canonical): string {
  if (result === 'never settled') return 'never settles';
  if ('rejects' in result) return `rejects with ${shownError(result.rejects)}`;
  return isDeepStrictEqual(result.value, NOTHING) ? 'ends' : `gives ${shown(part)}`;
}
