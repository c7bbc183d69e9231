/** JUnit XML, as CI servers read it: a suite for each test file, a case for each test. */
import type { FailList } from '../../data/fail-on.ts';
import type { ReportTest } from '../../data/report.ts';
import { adviceText } from '../advice.ts';
import { entriesOf } from '../entries.ts';
import type { ToldFinding } from '../finding.ts';
import { LIST_TITLES, remarkOn } from '../lists.ts';
import { place } from '../phrase.ts';
import type { Findings } from '../reporter-api.ts';
import { type TestState, type UnseenList, unseenAs } from '../test-state.ts';

/** What XML 1.0 has no way to say, escaped or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text or the value of an attribute: ends of lines would be spaces in one. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"]/g, (character) => ESCAPES[character]!)
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

interface CaseText {
  readonly test: ReportTest;
  readonly kind: 'passed' | 'failed' | 'error' | 'skipped';
  readonly lines: readonly string[];
}

function toldOf({ bug, name, sentence, advice, accesses, steps, list }: ToldFinding): string {
  return [
    `${LIST_TITLES[list]}: ${name}: ${sentence}`,
    ...accesses.map(({ mark, file, line, column, access }) => {
      return `${mark} ${access.task} ${access.access}s at ${file}:${line}:${column}`;
    }),
    ...steps.map((step) => `${step.text} at ${place(step)}`),
    bug.error,
    ...(advice === null ? [] : [adviceText(advice)]),
    `reproduced ${bug.reproduced}, control ${bug.control}; ${bug.replay}`,
  ].join('\n');
}

interface JudgedCase {
  readonly test: ReportTest;
  readonly state: TestState;
  /** What the summary says of it. */
  readonly lines: readonly string[];
  readonly findings: readonly ToldFinding[];
  /** The list of those not looked at that it is in. */
  readonly unseen: UnseenList | null;
  /** What the user knows of it. */
  readonly isExcused: boolean;
}

function caseOf(
  { test, state, lines, findings, unseen, isExcused }: JudgedCase,
  counting: ReadonlySet<FailList>,
): CaseText {
  const failures = findings
    .filter(({ counts }) => counts)
    .map(
      (finding) =>
        `<failure type="${xml(finding.list)}" message="${xml(`${finding.name}: ${finding.sentence}`)}">${xml(toldOf(finding))}</failure>`,
    );
  const told = findings
    .filter(({ counts }) => !counts)
    .map((finding) => {
      const why = finding.hidden ?? remarkOn(finding.list, counting);
      return `<system-out>${xml(`${why}\n${toldOf(finding)}`)}</system-out>`;
    });
  if (failures.length > 0) return { test, kind: 'failed', lines: [...failures, ...told] };
  const why = lines.join('\n') || state;
  const doesCount = unseen !== null && counting.has(unseen) && !isExcused;
  if (doesCount)
    return {
      test,
      kind: 'error',
      lines: [`<error type="${unseen}" message="not analysed">${xml(why)}</error>`, ...told],
    };
  // What was analysed in part has passed as far as it was.
  if (unseen !== null && unseen !== 'partly') {
    const message = xml(isExcused ? `known: ${why}` : why);
    return { test, kind: 'skipped', lines: [`<skipped message="${message}"/>`, ...told] };
  }
  const out = lines.length > 0 ? [`<system-out>${xml(why)}</system-out>`] : [];
  return { test, kind: 'passed', lines: [...told, ...out] };
}

function numbers(cases: readonly CaseText[]): string {
  const of = (kind: CaseText['kind']): number => cases.filter((one) => one.kind === kind).length;
  return `tests="${cases.length}" failures="${of('failed')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

/** The document. */
export function junitXml(
  { report, views, excused }: Pick<Findings, 'report' | 'views' | 'excused'>,
  findings: readonly ToldFinding[],
  counting: ReadonlySet<FailList>,
  fileOf: (file: string) => string,
): string {
  const byTest = Map.groupBy(findings, ({ bug }) => bug.test);
  const cases = entriesOf(report, views, true).map(({ state, lines }, at) => {
    const test = report.tests[at]!;
    const unseen = unseenAs(test, views.ended !== undefined);
    const isExcused = excused?.has(test.id) === true;
    return caseOf({ test, state, lines, findings: byTest.get(test.id) ?? [], unseen, isExcused }, counting);
  });
  const suites = [...Map.groupBy(cases, ({ test }) => test.file)].map(([file, of]) => {
    const name = xml(fileOf(file));
    const rows = of.map(({ test, lines }) => {
      const title = test.partOf === null ? test.name : `${test.name} (threads)`;
      const open = `    <testcase name="${xml(title)}" classname="${name}" file="${name}"`;
      return lines.length === 0
        ? `${open}/>`
        : [`${open}>`, ...lines.map((line) => `      ${line}`), '    </testcase>'].join('\n');
    });
    return [`  <testsuite name="${name}" ${numbers(of)}>`, ...rows, '  </testsuite>'].join('\n');
  });
  const open = `<testsuites name="unweave" ${numbers(cases)}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', open, ...suites, '</testsuites>', ''].join('\n');
}
