/** Recordings of a test that fails in its first one and passes on plain Node: what has to be otherwise for it to pass here as well. */
import type { RunResult } from '../../data/run.ts';
import { type Recording, type Subject, SubjectError } from '../../rescheduler/subjects/protocol.ts';
import { withLimits } from '../../rescheduler/subjects/with-limits.ts';
import { BEHIND_OTHERS, type OwnLimits, REAL_PACE, SLOW_MACHINE } from './as-recorded.ts';
import type { StageContext } from './context.ts';

/** One that passes, and the limits within which it does. */
interface Passing {
  readonly recording: Recording;
  readonly how: OwnLimits;
}

/** So many runs that fail alike are no chance. */
const AGAIN = 2;

/**
 * The recording of a test that passes on plain Node, in the order in which it failed: alone it meets nothing of what those before it in its
 * process have left, such as a timer that never came or a clock that is ahead. Else what passes plainly fails here of the time that
 * work takes rather than of the order in which answers come. null: it fails so, too.
 */
export async function passingAsIs(
  context: StageContext,
  subject: Subject,
  { outcome }: RunResult,
  isAmongOthers: boolean,
): Promise<Passing | 'by chance' | null> {
  if (outcome !== 'fail') {
    const recording = isAmongOthers ? await passesNow(context, subject) : null;
    return recording && { recording, how: {} };
  }
  const slowly = () => recordWithin(context, subject, SLOW_MACHINE);
  if (!(await slowly())) return null;
  const now = await passesNow(context, subject);
  if (now) return context.leaptIn.has(subject.file) ? { recording: now, how: {} } : 'by chance';
  // What runs warm has to be like the last recording.
  const slow = await slowly();
  return slow && { recording: slow, how: SLOW_MACHINE };
}

/**
 * The recording of a test whose clock went ahead of those of others: of a database, of a child, of a timer that an earlier test has left.
 * null: it fails where no clock leaps, too.
 */
export async function passingAtPace(
  context: StageContext,
  subject: Subject,
  result: RunResult,
  isAmongOthers: boolean,
): Promise<Passing | null> {
  if (!hasLeapt(result)) return null;
  for (const how of [REAL_PACE, ...(isAmongOthers ? [{ ...BEHIND_OTHERS, ...REAL_PACE }] : [])]) {
    const recording = await recordWithin(context, subject, how);
    if (recording) return { recording, how };
  }
  return null;
}

/** Less than this is no leap: steps of the host take that, too, ms. */
const LEAST_LEAP_MS = 50;

/** Whether the clock of a run went ahead of the real one. */
export const hasLeapt = ({ clockMs = 0, durationMs }: RunResult): boolean =>
  clockMs > durationMs + LEAST_LEAP_MS;

/** The recording of a test that passes where nothing is changed: chance has made it fail, or the tests before it. */
async function passesNow(context: StageContext, subject: Subject): Promise<Recording | null> {
  for (let run = 0; run < AGAIN && !context.over; run++) {
    const recording = await recordedOrNot(context, subject);
    if (recording?.result.outcome === 'pass') return recording;
  }
  return null;
}

/** null: it does not pass so, or nobody can tell. */
async function recordWithin(
  context: StageContext,
  subject: Subject,
  how: OwnLimits,
): Promise<Recording | null> {
  if (context.over) return null;
  const recording = await recordedOrNot(context, withLimits(subject, how));
  return recording?.result.outcome === 'pass' && isFit(recording.result) ? recording : null;
}

export async function recordedOrNot(context: StageContext, subject: Subject): Promise<Recording | null> {
  try {
    return await context.record(subject);
  } catch (error) {
    if (error instanceof SubjectError) return null;
    throw error;
  }
}

export const isFit = ({ doubts = [], outcome, overtime }: Recording['result']): boolean =>
  outcome !== 'unknown' && doubts.length === 0 && !overtime;
