/** One triple of accesses of a trace of threads in detail: locks, schedule, surroundings, or what forbids it. */
import type { StdCutPoint } from './std.ts';

export interface StdHeld {
  readonly lock: string;
  readonly shared: boolean;
  /** Locks acquired since, released or not. */
  readonly history: readonly string[];
}

/** Consecutive events of one thread, by line. */
export interface StdStretch {
  readonly thread: string;
  readonly from: number;
  readonly to: number;
  readonly events: number;
}

export interface StdDetail extends Pick<StdCutPoint, 'pattern' | 'entity' | 'first' | 'remote' | 'second'> {
  readonly locks: { readonly first: readonly StdHeld[]; readonly remote: readonly StdHeld[] };
  readonly verdict: 'reachable' | 'unreachable' | 'undecided';
  /** Why, in sentences. */
  readonly why: readonly string[];
  readonly schedule: null | {
    readonly completes: boolean;
    readonly switches: { readonly before: number; readonly after: number };
    /** So many lines were not looked at: they run as observed, in the reduced schedule as well. */
    readonly observed: number;
    /** The first lines of the trace that run as observed, then who runs what. */
    readonly asObserved: number;
    readonly stretches: readonly StdStretch[];
    /** Fewest switches, for a scheduler. */
    readonly reduced: readonly StdStretch[];
  };
  /** The trace around the accesses. */
  readonly window: readonly { readonly line: number; readonly text: string; readonly mark: string }[];
}

const heldText = (locks: readonly StdHeld[]): string =>
  locks.length === 0
    ? 'holds nothing'
    : `holds ${locks
        .map(
          ({ lock, shared, history }) =>
            `${lock}${shared ? ' (shared)' : ''}${history.length > 0 ? ` [since: ${history.join(' ')}]` : ''}`,
        )
        .join(', ')}`;

const stretchText = ({ thread, from, to, events }: StdStretch): string =>
  events === 1 ? `${thread} ${from}` : `${thread} ${from}..${to} (${events})`;

export function renderDetail(detail: StdDetail): string {
  const { pattern, entity, first, remote, second, locks, verdict, why, schedule, window } = detail;
  const rows = [
    { ...first, letter: pattern[0], held: heldText(locks.first) },
    { ...remote, letter: pattern[1], held: heldText(locks.remote) },
    { ...second, letter: pattern[2], held: '' },
  ].map(({ thread, letter, line, location, held }) =>
    `  ${thread} ${letter === 'W' ? 'writes' : 'reads '}  line ${line} (${location})   ${held}`.trimEnd(),
  );
  const lines = [`${pattern} ${entity}: ${verdict}`, ...rows, ...why.map((sentence) => `  ${sentence}`)];
  if (schedule) {
    const { asObserved, observed, stretches, switches, reduced } = schedule;
    const upTo = (line: number): string[] => (line > 0 ? [`as observed to line ${line}`] : []);
    lines.push(
      `  schedule, ${switches.before} switches: ${[...upTo(asObserved), ...stretches.map(stretchText)].join('; ')}`,
      `  reduced, ${switches.after} switches: ${[...upTo(observed), ...reduced.map(stretchText)].join('; ')}`,
    );
  }
  const width = String(window.at(-1)?.line ?? 0).length;
  for (const { line, text, mark } of window)
    lines.push(`  ${mark.padEnd(2)} ${String(line).padStart(width)}  ${text}`);
  return `${lines.join('\n')}\n`;
}
