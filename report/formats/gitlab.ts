/** GitLab's code quality report: a list of findings that merge requests compare by their fingerprints. */
import type { ToldFinding } from '../finding.ts';
import { LIST_TITLES } from '../lists.ts';

const SEVERITIES = { race: 'critical', timing: 'minor', conditional: 'info' } as const;

export interface CodeQualityIssue {
  readonly description: string;
  readonly check_name: string;
  /** Without line numbers: moved code is no new finding. */
  readonly fingerprint: string;
  readonly severity: 'critical' | 'minor' | 'info';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** What is known or ignored is left out: there is no way to say that of an entry. */
export function codeQuality(
  findings: readonly ToldFinding[],
  fileOf: (file: string) => string,
): CodeQualityIssue[] {
  return findings
    .filter(({ hidden }) => hidden === null)
    .map(({ bug, list, name, sentence, place, test, testTitle }) => ({
      description: `${LIST_TITLES[list]}: ${name}: ${sentence} (${testTitle}; ${bug.replay})`,
      check_name: name,
      fingerprint: bug.id,
      severity: SEVERITIES[list],
      location: {
        path: fileOf(place?.file ?? test?.file ?? ''),
        // The format has no way to say that no line is known.
        lines: { begin: place?.line ?? 1 },
      },
    }));
}
