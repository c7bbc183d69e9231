/** What a reporter is: it is given everything that a command has found, and what was asked for. */
import type { FailList } from '../data/fail-on.ts';
import type { Report } from '../data/report.ts';
import type { RenderContext } from './bug.ts';
import type { Hidden } from './hidden.ts';
import type { ReportViews } from './view.ts';
import type { WantedReporter } from './wanted.ts';

/** What there is to tell. Text in it is that of programs under test: `plainValue` takes control characters out. */
export interface Findings {
  readonly report: Report;
  readonly views: ReportViews;
  /** Bugs that the user knows. */
  readonly hidden: Hidden;
  /** Tests that cannot be analysed, as the user knows; absent: none. */
  readonly excused?: ReadonlySet<string>;
}

/** What the user asked for, and where it goes. */
export interface ReportOutput {
  readonly cwd: string;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Nothing for people. */
  readonly quiet: boolean;
  /** File for the JSON report; `-`: standard output; null: none. */
  readonly json: string | null;
  /** Reporters that are asked for by name. */
  readonly reporters: readonly WantedReporter[];
  /** Lists that count for the exit code. */
  readonly counting: ReadonlySet<FailList>;
  /** What a command needs beside its own words to find the store that was named by hand; empty where it finds it. */
  readonly storeOption: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the tool. */
  readonly version: string;
  /** How text for people looks, and the sources that it shows. */
  readonly context: RenderContext;
}

export interface Reporter {
  readonly name: string;
  /** Whether this command asked for it. */
  isWanted(output: ReportOutput): boolean;
  /** Tells everything, once the command is over. Rejects where it cannot be written. */
  done(findings: Findings, output: ReportOutput): Promise<void>;
}
