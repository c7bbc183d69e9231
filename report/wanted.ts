/** Reporters that a command line asks for by name. */

interface WantedRow {
  /** What it writes where no file is named; `-`: standard output. */
  readonly file: string;
  /** For `--help` of `--reporter`, behind its name. */
  readonly about?: string;
  /** Its lines belong into the log, beside all others. */
  readonly isLog?: true;
}

/** A row for each, from which the command line and its help are made. */
export const WANTED = {
  html: { file: 'unweave-report.html' },
  sarif: { file: 'unweave.sarif' },
  junit: { file: 'unweave-junit.xml' },
  gitlab: { file: 'gl-code-quality-report.json' },
  markdown: { file: 'unweave-report.md' },
  github: {
    ...{ file: '-', isLog: true },
    about: 'annotations and job summary; by itself in GitHub Actions',
  },
} as const satisfies Readonly<Record<string, WantedRow>>;

export type WantedTable = Readonly<Record<string, WantedRow>>;
export type ReporterName = keyof typeof WANTED;
export const REPORTER_NAMES = Object.keys(WANTED) as ReporterName[];

export const isLog = (name: ReporterName): boolean => 'isLog' in WANTED[name];

export interface WantedReporter {
  readonly name: ReporterName;
  readonly file: string;
}

/** Where a reporter writes; null: nobody asked for it. */
export const writesTo = (
  { reporters }: { readonly reporters: readonly WantedReporter[] },
  name: ReporterName,
): string | null => reporters.findLast((wanted) => wanted.name === name)?.file ?? null;
