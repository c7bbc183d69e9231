/** JUnit XML, as CI servers read it: a suite for each test file, a case for each test. */
import type { ReportTest } from '../../data/report.ts';
import { entriesOf } from '../entries.ts';
import type { ToldFinding } from '../finding.ts';
import { LIST_REMARKS, LIST_TITLES } from '../lists.ts';
import type { Findings } from '../reporter-api.ts';
import type { TestState } from '../test-state.ts';

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

/** States in which nobody can say that the test holds in other orders: they make the exit code 3. */
const UNSEEN: ReadonlySet<TestState> = new Set(['red', 'flaky', 'apart', 'unjudged', 'blind', 'unclear']);

interface CaseText {
  readonly test: ReportTest;
  readonly kind: 'passed' | 'failed' | 'error' | 'skipped';
  readonly lines: readonly string[];
}

function toldOf({ bug, name, sentence, advice, accesses, list }: ToldFinding): string {
  return [
    `${LIST_TITLES[list]}: ${name}: ${sentence}`,
    ...accesses.map(({ mark, file, line, column, access }) => {
      return `${mark} ${access.task} ${access.access}s at ${file}:${line}:${column}`;
    }),
    bug.error,
    ...(advice === '' ? [] : [`to mend it: ${advice}`]),
    `reproduced ${bug.reproduced}, control ${bug.control}; ${bug.replay}`,
  ].join('\n');
}

function caseOf(
  test: ReportTest,
  state: TestState,
  lines: readonly string[],
  of: readonly ToldFinding[],
): CaseText {
  const counted = of.filter(({ counts }) => counts);
  const others = of.filter(({ counts }) => !counts);
  const failures = counted.map(
    (finding) =>
      `<failure type="${xml(finding.list)}" message="${xml(`${finding.name}: ${finding.sentence}`)}">${xml(toldOf(finding))}</failure>`,
  );
  const told = others.map((finding) => {
    const why = finding.hidden ?? LIST_REMARKS[finding.list];
    return `<system-out>${xml(`${why}\n${toldOf(finding)}`)}</system-out>`;
  });
  if (failures.length > 0) return { test, kind: 'failed', lines: [...failures, ...told] };
  const why = xml(lines.join('\n') || state);
  if (UNSEEN.has(state))
    return {
      test,
      kind: 'error',
      lines: [`<error type="${state}" message="not analysed">${why}</error>`, ...told],
    };
  if (state === 'guest') return { test, kind: 'skipped', lines: [`<skipped message="${why}"/>`, ...told] };
  const out = lines.length > 0 ? [`<system-out>${why}</system-out>`] : [];
  return { test, kind: 'passed', lines: [...told, ...out] };
}

function numbers(cases: readonly CaseText[]): string {
  const of = (kind: CaseText['kind']): number => cases.filter((one) => one.kind === kind).length;
  return `tests="${cases.length}" failures="${of('failed')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

/** The document. */
export function junitXml(
  { report, views }: Pick<Findings, 'report' | 'views'>,
  findings: readonly ToldFinding[],
  fileOf: (file: string) => string,
): string {
  const byTest = Map.groupBy(findings, ({ bug }) => bug.test);
  const cases = entriesOf(report, views, true).map(({ state, lines }, at) => {
    const test = report.tests[at]!;
    return caseOf(test, state, lines, byTest.get(test.id) ?? []);
  });
  const suites = [...Map.groupBy(cases, ({ test }) => test.file)].map(([file, of]) => {
    const name = xml(fileOf(file));
    const rows = of.map(({ test, lines }) => {
      const open = `    <testcase name="${xml(test.name)}" classname="${name}" file="${name}"`;
      return lines.length === 0
        ? `${open}/>`
        : [`${open}>`, ...lines.map((line) => `      ${line}`), '    </testcase>'].join('\n');
    });
    return [`  <testsuite name="${name}" ${numbers(of)}>`, ...rows, '  </testsuite>'].join('\n');
  });
  const open = `<testsuites name="unweave" ${numbers(cases)}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', open, ...suites, '</testsuites>', ''].join('\n');
}
