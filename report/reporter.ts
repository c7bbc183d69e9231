/**
 * Who tells what a command has found. Each reporter is an entry of one list and knows nothing of the others; one that
 * fails does not keep the others from telling.
 */
import { randomUUID } from 'node:crypto';
import { MACHINE_REPORTERS } from './formats/write.ts';
import { html } from './html/reporter.ts';
import { writeJson } from './json.ts';
import { plainValue } from './plain.ts';
import type { Findings, Reporter, ReportOutput } from './reporter-api.ts';
import { renderReport } from './terminal.ts';
import type { BugView } from './view.ts';

const json: Reporter = {
  name: 'json',
  isWanted: (output) => output.json !== null,
  done: ({ report }, { cwd, json, stdout }) => writeJson(report, json ?? '-', { cwd, stdout }),
};

const terminal: Reporter = {
  name: 'terminal',
  isWanted: ({ quiet }) => !quiet,
  done: ({ hidden, report, views }, { context, env, stdout, storeOption }) => {
    const told = plainValue({ ...views, bugs: views.bugs.map((view) => inStore(view, storeOption)) });
    return print(stdout, inLog(renderReport(plainValue(report), told, context, hidden), env));
  },
};

/** For people, with the store in the command. What is kept of a bug is read in stores that others were merged into. */
const inStore = (view: BugView, storeOption: string): BugView =>
  view.bug.replay.includes(' --store ')
    ? view
    : { ...view, bug: { ...view.bug, replay: view.bug.replay + storeOption } };

/** GitHub Actions obeys lines of the log that look like commands: between these two lines it obeys none. */
function inLog(text: string, env: ReportOutput['env']): string {
  if (env['GITHUB_ACTIONS'] !== 'true') return text;
  const token = randomUUID();
  return `::stop-commands::${token}\n${text}::${token}::\n`;
}

export const REPORTERS: readonly Reporter[] = [json, terminal, html, ...Object.values(MACHINE_REPORTERS)];

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
