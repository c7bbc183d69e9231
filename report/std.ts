/** Cut points of a trace of threads, for people. */
import type { Shape } from '../data/prediction.ts';
import { count } from './layout.ts';

export interface StdAccess {
  readonly line: number;
  readonly thread: string;
  readonly location: string;
}

export interface StdCutPoint {
  readonly pattern: Shape;
  readonly entity: string;
  readonly first: StdAccess;
  readonly remote: StdAccess;
  readonly second: StdAccess;
  readonly completes: boolean;
  /** Occurrences of this kind. */
  readonly alike: number;
  /** Context switches of its schedule. */
  readonly switches: number;
  /** Of its rank. */
  readonly reasons: readonly string[];
}

export interface StdView {
  readonly events: number;
  readonly threads: number;
  readonly triples: number;
  readonly undecided: number;
  /** Of these it is known that they are reachable, and no schedule was worked out. */
  readonly unscheduled: number;
  readonly cutPoints: readonly StdCutPoint[];
}

/** What the budget has left over, if anything. */
export function leftLines({ undecided, unscheduled }: Pick<StdView, 'undecided' | 'unscheduled'>): string[] {
  const lines: string[] = [];
  if (unscheduled > 0)
    lines.push(
      `${count(unscheduled, 'more', 'more')} reachable, not listed: the budget for schedules ended before them`,
    );
  if (undecided > 0) lines.push(`${count(undecided, 'triple')} undecided: the budget ended before them`);
  return lines;
}

export function renderStd(view: StdView): string {
  const { events, threads, triples, cutPoints } = view;
  const lines = cutPoints.map(renderCutPoint);
  lines.push(
    `${count(cutPoints.length, 'cut point')} in ${count(events, 'event')} of ${count(threads, 'thread')}; ` +
      `${count(triples, 'triple')} looked at`,
  );
  lines.push(...leftLines(view));
  return `${lines.join('\n')}\n`;
}

function renderCutPoint(cutPoint: StdCutPoint): string {
  const { pattern, entity, first, remote, second, completes, alike, switches, reasons } = cutPoint;
  const [a, f, b] = pattern;
  const access = (letter: string | undefined, { thread, line, location }: StdAccess): string =>
    `  ${thread} ${letter === 'W' ? 'writes' : 'reads '}  line ${line} (${location})`;
  return [
    `${pattern} ${entity}${alike > 1 ? `, ${alike} alike` : ''}`,
    access(a, first),
    access(f, remote),
    `${access(b, second)}${completes ? '' : '   cannot follow: the threads wait for each other'}`,
    `  ${count(switches, 'switch', 'switches')}; ${reasons.join(', ')}`,
    '',
  ].join('\n');
}
