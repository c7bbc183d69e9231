/** Reporters that a command line asks for by name. */

/** With the file that each writes where none is named; `-`: standard output. */
export const REPORTER_FILES = {
  html: 'unweave-report.html',
  sarif: 'unweave.sarif',
  junit: 'unweave-junit.xml',
  github: '-',
  gitlab: 'gl-code-quality-report.json',
  markdown: 'unweave-report.md',
} as const;

export type ReporterName = keyof typeof REPORTER_FILES;
export const REPORTER_NAMES = Object.keys(REPORTER_FILES) as ReporterName[];

export interface WantedReporter {
  readonly name: ReporterName;
  readonly file: string;
}

/** Where a reporter writes; null: nobody asked for it. */
export const writesTo = (
  { reporters }: { readonly reporters: readonly WantedReporter[] },
  name: ReporterName,
): string | null => reporters.findLast((wanted) => wanted.name === name)?.file ?? null;
