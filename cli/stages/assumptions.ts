/** What the user lets runs take for granted, and how a report says that a bug rests on it. */
import type { ReportBug } from '../../data/report.ts';
import type { Assumptions, RunLimits, RunResult } from '../../data/run.ts';
import { isAssumedStep } from '../../monitor/host/assumed.ts';
import type { RunOptions } from '../options.ts';

type AssumedOptions = Pick<RunOptions, 'assumeIo' | 'assumeStallMs' | 'maxStallMs'>;

/** All that the options allow to be assumed. */
export function assumptionsOf({ assumeIo, assumeStallMs = 0, maxStallMs }: AssumedOptions): Assumptions {
  return { io: assumeIo.length > 0, late: assumeStallMs > maxStallMs };
}

/** The limits of a run under some of it. */
export function limitsUnder(
  limits: RunLimits,
  { io, late }: Assumptions,
  options: AssumedOptions,
): RunLimits {
  const { assumeStallMs = 0 } = options;
  return { ...limits, assumeIo: io, ...(late ? { maxStallMs: assumeStallMs } : {}) };
}

/** The assumption that a finding rests on, for people; null where it needs none. */
export function conditionOf(
  { assumed, result }: { readonly assumed: Assumptions; readonly result: RunResult },
  { maxStallMs }: AssumedOptions,
): string | null {
  const parts: string[] = [];
  if (assumed.io) {
    const calls = [
      ...new Set(result.late.filter(({ api }) => api === 'assumed I/O').map(({ what }) => what)),
    ];
    const which =
      calls.length > 0 ? calls.map((fn) => `\`${fn}\``).join(', ') : 'the functions named by --assume-io';
    if (result.steps.some(isAssumedStep))
      parts.push(`calls of ${which} complete like host requests (--assume-io)`);
  }
  if (assumed.late)
    parts.push(
      `an answer of the host is ${Math.ceil(result.requiredStallMs)} ms late, beyond --max-stall (${maxStallMs} ms)`,
    );
  return parts.length === 0 ? null : `it happens only if ${parts.join(' and ')}`;
}

/** What a bug of the store was found under, to see it again. */
export function assumedBy(
  { conditional }: Pick<ReportBug, 'conditional'>,
  options: AssumedOptions,
): Assumptions {
  if (conditional === null) return { io: false, late: false };
  return { ...assumptionsOf(options), late: conditional.includes('--max-stall') };
}
