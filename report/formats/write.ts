/** The reporters that machines read: each asked for by its name, each with a file of its own. */
import { appendFile, stat } from 'node:fs/promises';
import { type ToldFinding, toldFindings } from '../finding.ts';
import { writeJson, writeText } from '../json.ts';
import { plainValue } from '../plain.ts';
import { fileNamer, projectRoot } from '../project-root.ts';
import type { Findings, Reporter, ReportOutput } from '../reporter-api.ts';
import { type ReporterName, writesTo } from '../wanted.ts';
import { annotations } from './github.ts';
import { codeQuality } from './gitlab.ts';
import { COMMENT_LIMIT, jobSummary, SUMMARY_LIMIT } from './job-summary.ts';
import { junitXml } from './junit.ts';
import { sarifLog } from './sarif.ts';

interface ToldReport {
  /** With the text of programs under test made plain. */
  readonly plain: Findings;
  readonly findings: readonly ToldFinding[];
  readonly fileOf: (file: string) => string;
}

function told(
  { report, views, hidden, excused }: Findings,
  { context, cwd, env, counting }: ReportOutput,
): ToldReport {
  const plain = {
    report: plainValue(report),
    views: plainValue(views),
    hidden,
    ...(excused ? { excused } : {}),
  };
  const fileOf = fileNamer(projectRoot(cwd, env), cwd);
  return { plain, findings: toldFindings(plain, counting, context.read), fileOf };
}

/** One that is told in the file that the command line names for it. */
function inFile(
  name: ReporterName,
  write: (told: ToldReport, file: string, output: ReportOutput) => Promise<void>,
): Reporter {
  return {
    name,
    isWanted: (output) => writesTo(output, name) !== null,
    done: (all, output) => write(told(all, output), writesTo(output, name)!, output),
  };
}

const sarif = inFile('sarif', ({ findings, fileOf }, file, output) =>
  writeJson(sarifLog(findings, { fileOf, version: output.version }), file, output),
);

const junit = inFile('junit', ({ plain, findings, fileOf }, file, output) =>
  writeText([junitXml(plain, findings, output.counting, fileOf)], file, output),
);

const gitlab = inFile('gitlab', ({ findings, fileOf }, file, output) =>
  writeJson(codeQuality(findings, fileOf), file, output),
);

/** What a comment on a change shows. */
const markdown = inFile('markdown', ({ plain, findings }, file, output) =>
  writeText([jobSummary(plain, findings, output.counting, COMMENT_LIMIT)], file, output),
);

/** Lines in the log and a summary of the job; where the log is standard output, which may be for something else. */
const github: Reporter = {
  name: 'github',
  isWanted: (output) => writesTo(output, 'github') !== null || output.env['GITHUB_ACTIONS'] === 'true',
  done: async (all, output) => {
    const { plain, findings, fileOf } = told(all, output);
    const lines = annotations(findings, fileOf).map((line) => `${line}\n`);
    const target = writesTo(output, 'github') ?? '-';
    if (target === '-' && output.quiet) for (const line of lines) output.stderr.write(line);
    else if (lines.length > 0 || target !== '-') await writeText(lines, target, output);
    const summary = output.env['GITHUB_STEP_SUMMARY'];
    if (!summary) return;
    const { size } = await stat(summary).catch(() => ({ size: 0 }));
    await appendFile(summary, jobSummary(plain, findings, output.counting, SUMMARY_LIMIT - size));
  },
};

/** That of the page for people is not among them. */
export const MACHINE_REPORTERS: Readonly<Record<Exclude<ReporterName, 'html'>, Reporter>> = {
  sarif,
  junit,
  gitlab,
  markdown,
  github,
};
