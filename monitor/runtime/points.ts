/**
 * Program points of this process: what each is, and how many more records it may make.
 *
 * Invariant: `left[site]` is 0 unless a sink is listening, so that one load and one comparison decide that a
 * hook has nothing to do.
 */
import type { SiteInfo, SourcePlace } from './types.ts';

/** Records per point and run; a point that used them up goes quiet and is reported. */
export const RECORD_BUDGET = 2048;
/**
 * Of these, so many between two suspensions: nothing comes between accesses of one stretch, so that those of
 * a long loop say little new.
 */
export const STRETCH_BUDGET = 256;
/** Allocations per point and run that are remembered for the names of entities. */
const BIRTH_BUDGET = 200;

const table: SiteInfo[] = [];
const saturatedPoints: number[] = [];
/** Points that are quiet until the next stretch. */
const exhausted = new Set<number>();
/** How many stretches have exhausted a point, by point; points that no stretch has exhausted are absent. */
const stretches = new Map<number, number>();
export let left = new Uint16Array(1 << 16);
export let births = new Uint8Array(1 << 16);

/** Points of texts that another process has instrumented, and numbered for all who run them, begin here. */
export const FOREIGN_SITES = 1 << 16;
/** Own ones that do not find room below them stand behind all that a command may ever have. */
const BEYOND = 1 << 22;
const UNKNOWN: SiteInfo = {
  file: '',
  line: 0,
  column: 0,
  fn: '',
  key: null,
  access: null,
  atomic: null,
  text: '',
};

let next = 0;
let hasForeign = false;

/** Reserves ids for the points of one file and returns the first. */
export function registerSites(sites: readonly SiteInfo[]): number {
  if (hasForeign && next < BEYOND && next + sites.length > FOREIGN_SITES) next = BEYOND;
  const first = next;
  place(first, sites);
  next += sites.length;
  return first;
}

/** Takes the points of a text that another process has numbered. */
export function placeSites(first: number, sites: readonly SiteInfo[]): void {
  hasForeign = true;
  place(first, sites);
}

function place(first: number, sites: readonly SiteInfo[]): void {
  while (table.length < first) table.push(UNKNOWN);
  sites.forEach((site, i) => {
    table[first + i] = site;
  });
  while (table.length > left.length) grow();
  births.fill(BIRTH_BUDGET, first, first + sites.length);
  if (recording) left.fill(STRETCH_BUDGET, first, first + sites.length);
}

/** The id that the next registered file begins with. */
export function nextSite(): number {
  return next;
}

/** What is known about a point. */
export function siteInfo(site: number): SiteInfo | undefined {
  return table[site];
}

/** Where a point is in the text that runs. */
export function madeIn(site: number): SourcePlace | undefined {
  const info = table[site];
  return info?.made ?? info;
}

/** All points registered so far; their index is their id. */
export function allSites(): readonly SiteInfo[] {
  return table;
}

function grow(): void {
  const moreLeft = new Uint16Array(left.length * 2);
  moreLeft.set(left);
  left = moreLeft;
  const moreBirths = new Uint8Array(births.length * 2);
  moreBirths.set(births);
  births = moreBirths;
}

let recording = false;

/** Gives every point a full budget, or (false) silences all of them. */
export function listen(on: boolean): void {
  recording = on;
  exhausted.clear();
  stretches.clear();
  if (on) saturatedPoints.length = 0;
  left.fill(on ? STRETCH_BUDGET : 0, 0, table.length);
}

/** A new stretch begins. */
export function renew(): void {
  if (exhausted.size === 0) return;
  for (const site of exhausted) {
    const used = stretches.get(site);
    if (used !== undefined && used * STRETCH_BUDGET < RECORD_BUDGET) left[site] = STRETCH_BUDGET;
  }
  exhausted.clear();
}

/** Gives every allocation point a full budget again: names must not depend on how many runs went before. */
export function refillBirths(): void {
  births.fill(BIRTH_BUDGET, 0, table.length);
}

/** Takes one record from the budget of a point. */
export function spend(site: number): void {
  if (--left[site]! === 0) isSpent(site);
}

/** A point has nothing left for this stretch. */
export function isSpent(site: number): void {
  if (exhausted.has(site)) return;
  exhausted.add(site);
  const before = stretches.get(site) ?? 0;
  stretches.set(site, before + 1);
  if (before === 0) saturatedPoints.push(site);
}

/** A point that has nothing to tell in this run. */
export function mute(site: number): void {
  left[site] = 0;
  exhausted.add(site);
}

/** Points whose budget ran out since {@link listen}. */
export function saturated(): readonly number[] {
  return saturatedPoints;
}
