/**
 * Tests that pass only while a sleep of their own is over before something else, and so fail in the natural order, where that
 * comes as soon as it can: timing-dependent tests, the other way round.
 */
import type { ReportBug } from '../../data/report.ts';
import type { Trace } from '../../data/trace.ts';
import { ownTimers } from '../../predictor/own-timers.ts';
import { placeOfStep, stepsInWords, whatOfStep } from '../../report/rows.ts';
import { earlySleeps } from './timing-rules.ts';

/** The sleep that goes off before something in the order that passes, and comes after it in the one that fails; null: none does. */
export function lateSleep(passing: Trace, failing: Trace, file: string): ReportBug['timing'] {
  const own = new Set([...ownTimers(passing, file).names, ...ownTimers(failing, file).names]);
  const [sleep] = earlySleeps(passing.steps, failing.steps, own);
  if (!sleep) return null;
  const traces = [failing, passing];
  const other = sleep.overtaken.at(-1);
  return {
    rule: 'late',
    timer: whatOfStep(traces, sleep.step),
    at: placeOfStep(traces, sleep.step),
    overtaken: other ? (stepsInWords(traces, other)[0] ?? null) : null,
  };
}
