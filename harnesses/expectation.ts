import type { Expectation } from './api.ts';

/** What a run of the tool says about one bug; the fields of its JSON report. */
export interface Finding {
  readonly kind: string;
  readonly pattern: string | null;
  readonly entity: string | null;
  readonly other?: { readonly entity: string } | null;
}

/** Why a finding is not the expected bug, in one line; null when it is. */
export function mismatch(expect: Expectation, finding: Finding): string | null {
  if (!expect.bug)
    return `no bug was expected, found ${finding.pattern ?? finding.kind} on ${finding.entity}`;
  if (expect.deadlock)
    return finding.kind === 'deadlock' ? null : `a deadlock was expected, found ${finding.kind}`;
  const patterns: readonly string[] = expect.pattern === undefined ? [] : [expect.pattern].flat();
  if (patterns.length > 0 && !patterns.includes(finding.pattern ?? ''))
    return `pattern ${patterns.join(' or ')} was expected, found ${finding.pattern}`;
  if (expect.entity !== undefined && finding.entity !== expect.entity)
    return `entity ${expect.entity} was expected, found ${finding.entity}`;
  if (expect.other !== finding.other?.entity)
    return `${expect.other ? `${expect.other} beside it` : 'one variable'} was expected, found ${finding.other?.entity ?? 'one'}`;
  if (expect.entityMatch !== undefined && !new RegExp(expect.entityMatch).test(finding.entity ?? ''))
    return `an entity like /${expect.entityMatch}/ was expected, found ${finding.entity}`;
  return null;
}
