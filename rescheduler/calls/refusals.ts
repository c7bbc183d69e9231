/** Components that refuse what comes while something else is under way: that is as it should be, whatever they say of it. */

import type { CallPlan } from '../../data/test-call.ts';
import type { Outcome } from '../../harnesses/api.ts';

const REFUSES =
  /\b(?:busy|(?:un)?lock(?:ed|ing)?|acquir\w+|already|in progress|in use|running|pending|concurren\w+|simultaneous\w*|while|another|twice|not (?:yet )?(?:open|ready|connected)|closed|closing|abort\w*|cancel\w*|conflict\w*|retry|try again|too many)\b/i;
/** Errors by which no component refuses: those of the engine, and those of the system about what is not there, or is. */
const ACCIDENTS = /^(?:TypeError|ReferenceError|RangeError|SyntaxError)$/;

/** Why an outcome that no serial order gives is as it should be; false: it is not. */
export function refusedOf({ calls }: CallPlan, { results }: Outcome): string | false {
  for (const [at, result] of results.entries()) {
    if (typeof result === 'string' || !('rejects' in result)) continue;
    const { name, message, code } = result.rejects as { name?: string; message?: string; code?: string };
    if (code !== undefined && /^E[A-Z]+$/.test(code) && !/BUSY|LOCK|AGAIN/.test(code)) continue;
    const told = code ?? message ?? '';
    if (ACCIDENTS.test(name ?? '') || !REFUSES.test(told.replaceAll('_', ' '))) continue;
    return `\`${calls[at]!.text}\` is refused: ${told}`;
  }
  return false;
}
