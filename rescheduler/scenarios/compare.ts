/** Whether an outcome is one that was seen before, where that was sampled several times. */
import type { Canonical } from '../../data/scenario.ts';
import { isList } from './canonical.ts';

/** Where a part of a value stands: properties from the whole to the part. */
export type PartPath = readonly string[];

/** A part that differs between samples: anything may stand there. */
interface Masked {
  readonly got: string;
  readonly samples: readonly string[];
}

/** More parts that differ are not compared with each other. */
const MOST_MASKED = 100;
/** Shorter texts are equal by chance. */
const SHORTEST_ID = 6;

/**
 * Where it differs from all samples alike. What differs between the samples (ids, dates, tokens) may be anything; but names
 * that are equal to each other in all of them are here, too, and two that never are do not become one.
 * @param masks parts that may be anything: `*` stands for any one property.
 */
export function differences(
  got: Canonical,
  samples: readonly Canonical[],
  masks: readonly PartPath[] = [],
): PartPath[] {
  const found: PartPath[] = [];
  const masked: Masked[] = [];
  const at = (path: PartPath, here: Canonical | undefined, all: readonly (Canonical | undefined)[]) => {
    if (masks.some((mask) => isAt(mask, path))) return;
    const [wanted] = all;
    const keys = keysOf(all);
    if (keys === null) {
      masked.push({ got: text(here), samples: all.map(text) });
      return;
    }
    const own = keysOf([here]);
    if (keys === 'leaf' || own === null || own === 'leaf' || isListed(here) !== isListed(wanted)) {
      if (text(here) !== text(wanted)) found.push(path);
      return;
    }
    for (const key of new Set([...keys, ...own]))
      at(
        [...path, key],
        part(here, key),
        all.map((each) => part(each, key)),
      );
  };
  at([], got, samples);
  const kept = masked.slice(0, MOST_MASKED);
  return found.length === 0 && !kept.every((a, i) => kept.slice(i + 1).every((b) => isRelatedAlike(a, b)))
    ? [[]]
    : found;
}

/** Where numbers stand that differ between executions of one and the same order: how long something took, say. */
export function measures(samples: readonly Canonical[]): PartPath[] {
  const found: PartPath[] = [];
  const at = (path: PartPath, all: readonly (Canonical | undefined)[]): void => {
    if (all.every((each) => typeof each === 'number')) {
      if (all.some((each) => each !== all[0])) found.push(path);
      return;
    }
    const keys = keysOf(all);
    if (keys === null || keys === 'leaf') return;
    for (const key of keys)
      at(
        [...path, key],
        all.map((each) => part(each, key)),
      );
  };
  at([], samples);
  return found;
}

/** Two parts that may be anything stand to each other here as they do in all samples. */
function isRelatedAlike(a: Masked, b: Masked): boolean {
  if (![a.got, b.got, ...a.samples, ...b.samples].every(isName)) return true;
  const equal = a.samples.map((sample, at) => sample === b.samples[at]);
  return equal.every((is) => is === equal[0]) ? equal[0] === (a.got === b.got) : true;
}

/** A text that is no number and no date: those are equal where things happen at one time, by whatever clock. */
function isName(json: string): boolean {
  if (!json.startsWith('"')) return false;
  const value: string = JSON.parse(json);
  return value.length >= SHORTEST_ID && Number.isNaN(Number(value)) && Number.isNaN(Date.parse(value));
}

/** The properties that all have; null: they differ in that, or in what they are. */
function keysOf(all: readonly (Canonical | undefined)[]): readonly string[] | 'leaf' | null {
  const [first, ...others] = all;
  if (typeof first !== 'object' || first === null)
    return others.every((other) => text(other) === text(first)) ? 'leaf' : null;
  const keys = Object.keys(first).sort();
  const like = JSON.stringify(keys);
  const isLike = (other: Canonical | undefined): boolean =>
    typeof other === 'object' &&
    other !== null &&
    isListed(other) === isListed(first) &&
    JSON.stringify(Object.keys(other).sort()) === like;
  return others.every(isLike) ? keys : null;
}

const isListed = (value: Canonical | undefined): boolean => value !== undefined && isList(value);

const part = (value: Canonical | undefined, key: string): Canonical | undefined =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, Canonical>)[key]
    : undefined;

/** Equal for equal values. */
export function text(value: Canonical | undefined): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'number' && (Object.is(each, -0) || !Number.isFinite(each))
      ? { number: String(each) }
      : each,
  );
}

export const isAt = (mask: readonly string[], path: readonly string[]): boolean =>
  mask.length === path.length && mask.every((key, at) => key === '*' || key === path[at]);
