/** Values beside each other, with nothing told but what differs: a reader sees the difference at once. */
import type { Canonical } from '../../data/scenario.ts';
import { isList, LEFT_OUT, TAG, tagged } from './canonical.ts';
import { text } from './compare.ts';

/** Stands for what is the same in all, or may be anything. */
export const FOLDED: Canonical = tagged(LEFT_OUT);

/** Some executions that give one value; what differs between them may be anything. */
export type Samples = readonly [Canonical, ...Canonical[]];

/** Of a long text so much is left around what differs. */
const AROUND = 12;
const LONG_TEXT = 48;

/** What is told of each, by its first sample. */
export function folded(rows: readonly Samples[]): Canonical[] {
  const all = rows.flat();
  if (all.every((each) => isSame(each, all[0]!))) return rows.map(() => FOLDED);
  const firsts = rows.map(([first]) => first);
  if (all.every(isList)) return foldedLists(rows as readonly ListSamples[]);
  if (all.every(isObject) && rows.every((samples) => haveSameKeys(samples as ObjectSamples)))
    return foldedObjects(rows as readonly ObjectSamples[]);
  const isAny = ([first, ...others]: Samples): boolean => others.some((other) => !isSame(other, first));
  if (rows.some(isAny)) return rows.map(() => FOLDED);
  return firsts.every((first) => typeof first === 'string') ? foldedTexts(firsts) : firsts;
}

type Listed = readonly Canonical[];
type ListSamples = readonly [Listed, ...Listed[]];
type OwnFields = { readonly [key: string]: Canonical };
type ObjectSamples = readonly [OwnFields, ...OwnFields[]];

/** By place where all are as long; else what begins and what ends them is the same. */
function foldedLists(rows: readonly ListSamples[]): Canonical[] {
  const all = rows.flat();
  const lengths = all.map(({ length }) => length);
  const least = Math.min(...lengths);
  if (lengths.every((length) => length === least)) {
    const places = Array.from({ length: least }, (_, at) =>
      folded(rows.map((samples) => samples.map((list) => list[at]!) as unknown as Samples)),
    );
    return rows.map((_, row) => withoutRuns(places.map((place) => place[row]!)));
  }
  const [first] = all as [Listed];
  const alike = (at: (list: Listed) => Canonical): boolean =>
    all.every((list) => isSame(at(list), at(first)));
  let begin = 0;
  while (begin < least && alike((list) => list[begin]!)) begin += 1;
  let end = 0;
  while (begin + end < least && alike((list) => list.at(-1 - end)!)) end += 1;
  return rows.map(([list]) => [
    ...(begin > 0 ? [FOLDED] : []),
    ...list.slice(begin, list.length - end),
    ...(end > 0 ? [FOLDED] : []),
  ]);
}

/** Equal entries behind each other are told once. */
const withoutRuns = (list: Listed): Listed =>
  list.filter((each, at) => !isFolded(each) || at === 0 || !isFolded(list[at - 1]!));

function foldedObjects(rows: readonly ObjectSamples[]): Canonical[] {
  const keys = [...new Set(rows.flatMap(([first]) => Object.keys(first)))];
  const told: Record<string, Canonical>[] = rows.map(() => ({}));
  let isWhole = true;
  for (const key of keys) {
    const having = [...rows.keys()].filter((row) => Object.hasOwn(rows[row]![0], key));
    const inAll = having.length === rows.length;
    const values = having.map((row) => rows[row]!.map((fields) => fields[key]!) as unknown as Samples);
    const each = inAll && !isClass(key) ? folded(values) : values.map(([first]) => first);
    if (each.every(isFolded) && !key.startsWith(TAG)) isWhole = false;
    else for (const [at, row] of having.entries()) told[row]![key] = each[at]!;
  }
  return told.map((fields) => (isWhole ? fields : { ...fields, [LEFT_OUT]: FOLDED }));
}

/** What something is an instance of is told with whatever is told of it. */
const isClass = (key: string): boolean => key === `${TAG}class`;

function foldedTexts(texts: readonly string[]): Canonical[] {
  if (texts.every(({ length }) => length <= LONG_TEXT)) return [...texts];
  const [first] = texts as [string];
  const least = Math.min(...texts.map(({ length }) => length));
  let begin = 0;
  while (begin < least && texts.every((text) => text[begin] === first[begin])) begin += 1;
  let end = 0;
  while (begin + end < least && texts.every((text) => text.at(-1 - end) === first.at(-1 - end))) end += 1;
  const from = begin > AROUND ? begin - AROUND : 0;
  const behind = end > AROUND ? end - AROUND : 0;
  return texts.map(
    (text) => `${from > 0 ? '…' : ''}${text.slice(from, text.length - behind)}${behind > 0 ? '…' : ''}`,
  );
}

/** What is no plain value is told as a whole, but for what holds others. */
const isObject = (value: Canonical): value is OwnFields =>
  typeof value === 'object' &&
  value !== null &&
  !isList(value) &&
  Object.keys(value).every((key) => !key.startsWith(TAG) || /^.(?:class|map|set)$/s.test(key));
export const isFolded = (value: Canonical): boolean => isSame(value, FOLDED);
const isSame = (a: Canonical, b: Canonical): boolean => text(a) === text(b);
const keysOf = (fields: OwnFields): string => Object.keys(fields).sort().join('\0');
const haveSameKeys = ([first, ...others]: ObjectSamples): boolean =>
  others.every((other) => keysOf(other) === keysOf(first));
