/** A call that rejects as it does in no serial order may have been refused, which only the user knows: the mark that says so. */
import { isDeepStrictEqual } from 'node:util';
import type { Canonical, SerialOutcome } from '../../data/scenario.ts';
import type { Declared, Operation } from '../../harnesses/api.ts';
import type { OverlapRun } from './judge.ts';
import type { OperationCall } from './plan.ts';

/** A line for each operation that may be meant. */
export function refusalLines(
  { outcome, refused }: OverlapRun,
  { operations }: Pick<Declared<any>, 'operations'>,
  calls: readonly OperationCall[],
  serial: readonly SerialOutcome[],
): string[] {
  const lines = calls.flatMap(({ operation }, call) => {
    const result = outcome.results[call]!;
    if (refused.includes(call) || typeof result === 'string' || !('rejects' in result)) return [];
    const isKnown = serial.some(({ order, samples }) =>
      samples.some((sample) => order.includes(call) && isDeepStrictEqual(sample.results[call], result)),
    );
    const mark = isKnown ? null : markOf(result.rejects, operations[operation]!.refuses);
    return mark === null
      ? []
      : [`if it is meant to be refused, and has changed nothing then, say so: ${operation}: { …, ${mark} }`];
  });
  return [...new Set(lines)];
}

/** null: a function tells which errors do, and no line can be added to that. */
function markOf(error: Canonical, refuses: Operation<any>['refuses']): string | null {
  if (typeof refuses === 'function' || typeof error !== 'object' || error === null) return null;
  const { code, name, message } = error as { readonly [key: string]: Canonical };
  const word = code ?? name;
  if (typeof word !== 'string') return null;
  // Every error is one.
  if (word === 'Error')
    return `refuses: ({ message }) => message.startsWith(${JSON.stringify(String(message).split('#', 1)[0])})`;
  return `refuses: [${[...(refuses ?? []), word].map((each) => `'${each}'`).join(', ')}]`;
}
