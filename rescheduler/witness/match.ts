/**
 * Finds the planned request that a request of a plain run is: the same call about the same thing, from the same
 * line where that is known, and the next of them in the order of issue. As long as a run keeps to the planned
 * order it issues the same requests in the same order.
 */
import { basename } from 'node:path';
import type { HostRequest } from '../../monitor/host/request.ts';
import { familyOf, isFileOperation } from './families.ts';
import type { PlannedRequest } from './plan.ts';

interface SeenRequest {
  readonly kind?: HostRequest['kind'];
  readonly api: string;
  readonly what: string;
}

export class Matcher {
  /** By what they have in common with those of another process. */
  private readonly left = new Map<string, PlannedRequest[]>();
  private readonly known: ReadonlySet<string>;
  /** Those that have still to be issued, as far as one may rely on it. */
  private readonly expected: Set<PlannedRequest>;
  /** Deliveries that have not come. */
  private readonly coming: Set<number>;
  /** What threads work on: on a busy machine longer than planned. */
  private readonly working = new Set<PlannedRequest>();

  constructor(requests: readonly PlannedRequest[]) {
    this.expected = new Set(requests);
    this.coming = new Set(requests.flatMap(({ deliver: { index } }) => (index >= 0 ? index : [])));
    this.known = new Set(requests.map((request) => keyOf(request)));
    for (const request of requests) {
      const key = keyOf(request, alike);
      const queue = this.left.get(key);
      if (queue) queue.push(request);
      else this.left.set(key, [request]);
    }
  }

  /** Takes the planned request; null where none is left. */
  take(request: SeenRequest, site: string | null): PlannedRequest | null {
    const key = keyOf(request);
    const queue = this.left.get(keyOf(request, alike)) ?? [];
    const isKnown = this.known.has(key);
    let best = -1;
    let bestScore = -1;
    for (const [at, planned] of queue.entries()) {
      if (isKnown && keyOf(planned) !== key) continue;
      // News have no line to tell them apart by, and one that the plan does not know may come in between.
      if (isNews(request) && this.coming.has(planned.cause)) continue;
      const score =
        (planned.what === request.what ? 2 : 0) + (site !== null && planned.site === site ? 1 : 0);
      if (score <= bestScore) continue;
      best = at;
      bestScore = score;
    }
    if (best < 0) return null;
    const [taken] = queue.splice(best, 1) as [PlannedRequest];
    this.expected.delete(taken);
    if (request.kind === 'pool') this.working.add(taken);
    return taken;
  }

  /** What a planned request has to tell has been told, or will not be. */
  over(request: PlannedRequest): void {
    this.coming.delete(request.deliver.index);
    this.working.delete(request);
  }

  /** Whether a request that the plan issues before this step has not been issued yet, or a thread still works on one. */
  isAhead(index: number): boolean {
    for (const request of this.expected) if (precedes(request, index)) return true;
    for (const { deliver } of this.working) if (deliver.index >= 0 && deliver.index < index) return true;
    return false;
  }

  /** Nobody waits any more for what should have been issued before this step. */
  giveUp(index: number): void {
    for (const request of this.working) if (request.deliver.index < index) this.working.delete(request);
    for (const request of this.expected) {
      if (!precedes(request, index)) continue;
      this.expected.delete(request);
      this.over(request);
    }
  }
}

const isNews = ({ kind, api }: SeenRequest): boolean => kind === 'external' && !familyOf(api)?.isAnswer;

/**
 * What comes by itself is issued when it comes, which may be within the step that brings it about. What was taken back, or
 * answered within the call, may not show at all.
 */
const precedes = ({ api, cause, deliver }: PlannedRequest, index: number): boolean =>
  cause < index && deliver.index >= 0 && (isFileOperation(api) || deliver.index < index);

/**
 * Paths are compared in full only where that decides: what counts as a temporary part of a path depends on where the
 * temporary files of a process are.
 */
const keyOf = ({ api, what }: SeenRequest, word = (name: string): string => name): string =>
  [api, ...what.split(' → ').map((path) => (isRandom(path) ? '' : word(basename(path))))].join('\n');

/**
 * Names of temporary files have the process, the time or something random in them. What a plan does not know is taken
 * for one that it knows if they differ in words with digits only.
 */
const alike = (name: string): string => name.replace(/[A-Za-z0-9]*\d[A-Za-z0-9]*/g, '#');

/** A temporary folder itself: its name differs from run to run. */
const isRandom = (path: string): boolean => path === '*' || /[-_.][A-Za-z0-9]{6}$/.test(path);
