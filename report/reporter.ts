/**
 * Who tells what a command has found. Each reporter is an entry of one list and knows nothing of the others; one that
 * fails does not keep the others from telling.
 */
import type { Report } from '../data/report.ts';
import type { RenderContext } from './bug.ts';
import type { Hidden } from './hidden.ts';
import { writeJson } from './json.ts';
import { plainValue } from './plain.ts';
import { renderReport } from './terminal.ts';
import type { ReportViews } from './view.ts';

/** What there is to tell. Text in it is that of programs under test: {@link plainValue} takes control characters out. */
export interface Findings {
  readonly report: Report;
  readonly views: ReportViews;
  /** Bugs that the user knows. */
  readonly hidden: Hidden;
}

/** What the user asked for, and where it goes. */
export interface ReportOutput {
  readonly cwd: string;
  readonly stdout: NodeJS.WritableStream;
  /** Nothing for people. */
  readonly quiet: boolean;
  /** File for the JSON report; `-`: standard output; null: none. */
  readonly json: string | null;
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

const json: Reporter = {
  name: 'json',
  isWanted: (output) => output.json !== null,
  done: ({ report }, { cwd, json, stdout }) => writeJson(report, json ?? '-', { cwd, stdout }),
};

const terminal: Reporter = {
  name: 'terminal',
  isWanted: ({ quiet }) => !quiet,
  done: ({ hidden, report, views }, { context, stdout }) =>
    print(stdout, renderReport(plainValue(report), plainValue(views), context, hidden)),
};

export const REPORTERS: readonly Reporter[] = [json, terminal];

/** Has everybody tell whom the command asked for. The first error; null: all have told. */
export async function tell(
  findings: Findings,
  output: ReportOutput,
  reporters: readonly Reporter[] = REPORTERS,
): Promise<unknown> {
  let failed: unknown = null;
  for (const reporter of reporters)
    if (reporter.isWanted(output))
      await reporter.done(findings, output).catch((error: unknown) => (failed ??= error));
  return failed;
}

/** Resolves when the text has been handed over. */
export const print = (stdout: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((done) => stdout.write(text, () => done()));
