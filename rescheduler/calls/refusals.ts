/** Components that refuse what comes while something else is under way: that is as it should be, whatever they say of it. */
import type { CallPlan } from '../../data/test-call.ts';
import type { Outcome } from '../../harnesses/api.ts';

const REFUSES =
  /\b(?:busy|(?:un)?lock(?:ed|ing)?|acquir\w+|already|in progress|in use|running|pending|concurren\w+|simultaneous\w*|while|another|twice|not (?:yet )?(?:open|ready|connected)|closed|closing|abort\w*|cancel\w*|conflict\w*|retry|try again|too many)\b/i;
/** Codes of the system that say so; its others are about what is there, and what is not. */
const SYSTEM_REFUSES = /^E\w*(?:BUSY|LOCK|AGAIN)/;
const OF_SYSTEM = /^E[A-Z]+$/;
/** By these no component refuses: they are the engine's. */
const ACCIDENTS = /^(?:TypeError|ReferenceError|RangeError|SyntaxError)$/;

/** Why an outcome that no serial order gives is as it should be; false: it is not. */
export function refusedOf({ calls }: CallPlan, { results }: Outcome): string | false {
  for (const [at, result] of results.entries()) {
    if (typeof result === 'string' || !('rejects' in result)) continue;
    const {
      name = '',
      message = '',
      code,
    } = result.rejects as { name?: string; message?: string; code?: string };
    const isRefusal =
      code !== undefined && OF_SYSTEM.test(code)
        ? SYSTEM_REFUSES.test(code)
        : !ACCIDENTS.test(name) && REFUSES.test((code ?? message).replaceAll('_', ' '));
    if (isRefusal) return `\`${calls[at]!.text}\` is refused: ${code ?? message}`;
  }
  return false;
}
