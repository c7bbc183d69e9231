/**
 * Names by a counter: each call gets the next number, when it begins or when it ends, and which call has which number says
 * nothing. Where operations overlap the numbers may be given in one order and used in another.
 */
import type { Canonical, CanonicalOutcome, SerialOutcome } from '../../data/scenario.ts';
import type { PartPath } from './compare.ts';

/** The paths at which each call has a number that only its place in the order decides, and no other has. */
export function counterPaths(serial: readonly SerialOutcome[]): PartPath[] {
  const [first] = serial;
  if (!first || first.order.length < 2) return [];
  const all = serial.filter(({ order }) => order.length === first.order.length);
  const [call] = first.order;
  return numbersIn(given(first.samples[0]!, call!)).filter((path) => {
    const inPlace = all.map(({ order, samples }) => order.map((each) => at(given(samples[0]!, each), path)));
    const [numbers] = inPlace;
    return (
      numbers!.every((number) => typeof number === 'number') &&
      new Set(numbers).size === numbers!.length &&
      inPlace.every((others) => others.every((number, place) => number === numbers![place]))
    );
  });
}

/** The outcome with the numbers of its calls as they are in a sample; null: two calls have one number. */
export function renumbered(
  got: CanonicalOutcome,
  sample: CanonicalOutcome,
  order: readonly number[],
  path: PartPath,
): CanonicalOutcome | null {
  const names = new Map<Canonical | undefined, Canonical | undefined>();
  for (const call of order) names.set(at(given(got, call), path), at(given(sample, call), path));
  if (names.size !== order.length) return null;
  const key = path.at(-1);
  const renamed = (value: Canonical, under: string | undefined): Canonical => {
    if (Array.isArray(value)) return value.map((each: Canonical) => renamed(each, under));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed(each, name)]));
    return key === undefined || key === under ? (names.get(value) ?? value) : value;
  };
  const results = got.results.map((result) =>
    typeof result === 'object' && 'value' in result ? { value: renamed(result.value, undefined) } : result,
  );
  return { results, then: renamed(got.then, undefined) };
}

function numbersIn(value: Canonical | undefined, path: PartPath = []): PartPath[] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => numbersIn(each, [...path, key]));
}

function given({ results }: CanonicalOutcome, call: number): Canonical | undefined {
  const result = results[call]!;
  return typeof result === 'object' && 'value' in result ? result.value : undefined;
}

const at = (value: Canonical | undefined, path: PartPath): Canonical | undefined =>
  path.reduce<Canonical | undefined>(
    (within, key) =>
      typeof within === 'object' && within !== null ? (within as Record<string, Canonical>)[key] : undefined,
    value,
  );
