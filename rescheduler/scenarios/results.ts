/** What came of a call, and of looking at what is there afterwards, as it is compared. */
import type { Canonical } from '../../data/scenario.ts';
import type { Declared, Operation } from '../../harnesses/api.ts';
import { canonical, canonicalError, tagged } from './canonical.ts';
import type { Draws } from './draw.ts';
import { callText } from './plan.ts';
import { ALL_ORACLE_RULES } from './rules.ts';

const IGNORED = tagged('ignored');

/** A copy: the program may change later what it has returned. */
export function compared(
  { result = 'compare' }: Operation<any>,
  value: unknown,
  dir: string | null = null,
  rules = ALL_ORACLE_RULES,
): Canonical {
  if (result === 'ignore') return IGNORED;
  return canonical(result === 'compare' ? value : result(value), dir, rules);
}

/** Whether the operation says that it was refused. */
export function isRefusal({ refuses }: Operation<any>, error: unknown): boolean {
  if (refuses === undefined) return false;
  if (typeof refuses === 'function') return refuses(error);
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return [code, name].some((word) => typeof word === 'string' && refuses.includes(word));
}

/** What a specification looks at when all calls have ended. */
export async function observed<S>(
  { observe, operations }: Declared<S>,
  state: S,
  draws: Draws,
  dir: string | null = null,
  rules = ALL_ORACLE_RULES,
): Promise<Canonical> {
  const seen = async (look: () => unknown): Promise<Canonical> => {
    try {
      return canonical(await look(), dir, rules);
    } catch (error) {
      return tagged('rejects', canonicalError(error, dir, rules));
    }
  };
  if (observe) return seen(() => observe(state));
  const all: Record<string, Canonical> = {};
  for (const [operation, { reads, run }] of Object.entries(operations)) {
    if (!reads) continue;
    for (const args of draws.get(operation) ?? [])
      all[callText({ operation, args })] ??= await seen(() => run(state, ...args));
  }
  return all;
}
