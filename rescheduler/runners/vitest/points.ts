/** The points of instrumented texts, where those run: in workers, and in the process of the command what it sets up for all. */
import { runtime, type SiteInfo } from '../../../monitor/runtime/index.ts';
import { readWhole } from '../../subjects/job.ts';

const placed = new Set<string>();

/** Called by a text that runs, with the file of its points. */
export function points(file: string): void {
  if (placed.has(file)) return;
  placed.add(file);
  const { first, sites } = readWhole<{ first: number; sites: SiteInfo[] }>(file);
  runtime.placeSites(first, sites);
}
