/** What machines read: each format by what its reader checks, with well-meant findings and with hostile ones. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import Ajv from 'ajv';
import type { Log } from 'sarif';
import { SaxesParser } from 'saxes';
import { exitCodeOf } from '../../../cli/exit-code.ts';
import { countingLists, type FailSwitch } from '../../../data/fail-on.ts';
import type { ReportTest } from '../../../data/report.ts';
import { adviceOf } from '../../../report/advice.ts';
import { type ToldFinding, toldFindings } from '../../../report/finding.ts';
import { annotations } from '../../../report/formats/github.ts';
import { codeQuality } from '../../../report/formats/gitlab.ts';
import { jobSummary } from '../../../report/formats/job-summary.ts';
import { junitXml } from '../../../report/formats/junit.ts';
import { sarifLog } from '../../../report/formats/sarif.ts';
import { NOTHING_HIDDEN } from '../../../report/hidden.ts';
import { fileNamer } from '../../../report/project-root.ts';
import { unseenAs } from '../../../report/test-state.ts';
import {
  calledFrom,
  checkThenAct,
  conditional,
  deadlock,
  everyState,
  everyStateViews,
  lostUpdate,
  read,
} from '../samples.ts';
import { hostileReport, hostileViews } from './hostile.ts';

const timed = {
  ...checkThenAct,
  bug: { ...checkThenAct.bug, class: 'timing' as const, id: 'b77', test: 'quiet' },
};
const dead = { ...deadlock, bug: { ...deadlock.bug, test: 'mixed/six' } };
const known = { ...calledFrom, bug: { ...calledFrom.bug, id: 'b55' } };
const views = { ...everyStateViews, bugs: [lostUpdate, timed, conditional, dead, known] };
const report = {
  ...everyState,
  bugs: views.bugs.map(({ bug }) => (bug.id === 'b4' ? { ...bug, test: 'stall' } : bug)),
};
const sample = { report, views, hidden: new Map([['b55', 'known' as const]]) };
const hostile = { report: hostileReport, views: hostileViews, hidden: NOTHING_HIDDEN };

const told = (failOn: FailSwitch[] = []) => toldFindings(sample, countingLists(failOn), read);
const evil = toldFindings(hostile, countingLists([]), read);
const fileOf = fileNamer('/project', '/project/packages/a');
const many = (n: number, of: ToldFinding): ToldFinding[] => Array.from({ length: n }, () => of);

test('races, tests that depend on timing, and assumptions are told apart; a switch counts the second', () => {
  const rows = (failOn: FailSwitch[]) => told(failOn).map(({ bug, list, counts }) => [bug.id, list, counts]);
  assert.deepEqual(rows([]), [
    ['b7f3a1', 'race', true],
    ['b9', 'race', true],
    ['b55', 'race', false],
    ['b77', 'timing', false],
    ['b4', 'conditional', false],
  ]);
  assert.deepEqual(
    rows(['timing']).filter(([, , counts]) => counts),
    [
      ['b7f3a1', 'race', true],
      ['b9', 'race', true],
      ['b77', 'timing', true],
    ],
  );
});

const schemaFile = createRequire(import.meta.url)
  .resolve('@microsoft/jest-sarif')
  .replace(/index\.js$/, 'schemas/sarif-2.1.0-rtm.5.json');

/** By the schema of the standard. */
function assertSarif(log: Log): void {
  const ajv = new Ajv({ schemaId: 'auto', logger: false });
  ajv.addMetaSchema(createRequire(import.meta.url)('ajv/lib/refs/json-schema-draft-04.json'));
  const isValid = ajv.validate(JSON.parse(readFileSync(schemaFile, 'utf8')), JSON.parse(JSON.stringify(log)));
  assert.ok(isValid, ajv.errorsText());
}

test('SARIF: valid, a thread flow for each task in one order, and nothing that moves with lines identifies a finding', () => {
  const log = sarifLog(told(), { fileOf, version: '1.2.3' });
  assertSarif(log);
  const results = log.runs[0]!.results!;
  assert.deepEqual(
    results.map(({ level, ruleId }) => `${level} ${ruleId}`),
    [
      'error lost-update',
      'error deadlock',
      'error lost-update',
      'warning timing-dependent-test',
      'note order-bug',
    ],
  );
  const [lost, , hidden] = results;
  assert.deepEqual(
    lost!.codeFlows![0]!.threadFlows.map(({ id, locations }) => [id, locations.map((l) => l.executionOrder)]),
    [
      ['alice', [1, 5, 6]],
      ['bob', [2, 3, 4]],
    ],
  );
  assert.deepEqual(lost!.partialFingerprints, { 'unweaveBug/v1': 'b7f3a1' });
  const at = lost!.locations![0]!.physicalLocation!;
  assert.deepEqual(at.artifactLocation, { uri: 'packages/a/src/bank.ts', uriBaseId: '%SRCROOT%' });
  assert.equal(at.region!.startLine, 6);
  assert.equal(hidden!.suppressions![0]!.justification, 'known');
});

test('advice is a fix only where failing orders pass with it', () => {
  const as = (fix: string | null, kind: 'race' | 'timing' = 'race') =>
    adviceOf({ ...lostUpdate, bug: { ...lostUpdate.bug, fix, class: kind } }, 'hold a lock').label;
  assert.deepEqual(
    [as('7/7'), as('3/7'), as('0/7'), as(null), as(null, 'timing')],
    ['Fix', 'Helps in part', 'Where to look', 'Advice, not tried', 'In general'],
  );
  const within = (fix: string, packages: string[]): string =>
    adviceOf({ ...lostUpdate, bug: { ...lostUpdate.bug, fix, packages } }, 'hold a lock').text;
  assert.equal(within('7/7', ['keyv']), 'hold a lock');
  assert.equal(
    within('3/7', ['cacheable', 'keyv']),
    'hold a lock; cacheable and keyv were not looked into: `--instrument cacheable,keyv` shows more',
  );
  const untried = {
    ...sample,
    views: { bugs: [{ ...lostUpdate, bug: { ...lostUpdate.bug, fix: null } }], tests: {} },
  };
  const findings = toldFindings(
    { ...untried, report: { ...report, bugs: [untried.views.bugs[0]!.bug] } },
    countingLists([]),
    read,
  );
  const texts = [
    JSON.stringify(sarifLog(findings, { fileOf, version: '1' })),
    junitXml(untried, findings, countingLists([]), fileOf),
    annotations(findings, fileOf).join(),
    jobSummary(untried, findings),
  ];
  for (const text of texts) assert.match(text, /Advice, not tried:/);
});

test('a finding that no access tells names both steps whose order matters', () => {
  const [one, two] = [3, 6].map((line) => ({ file: 'src/bank.ts', line, column: 5 }));
  const row = (task: string, site: typeof one) => ({
    task,
    what: 'lock',
    site: site!,
    kind: 'deliver' as const,
  });
  const [a, b] = [row('alice', one), row('bob', two)];
  const view = { ...dead, bug: { ...dead.bug, waits: [] }, natural: [a, b], failing: [b, a] };
  const findings = toldFindings(
    { report: { ...report, bugs: [view.bug] }, views: { bugs: [view], tests: {} }, hidden: NOTHING_HIDDEN },
    countingLists([]),
    read,
  );
  const log = sarifLog(findings, { fileOf, version: '1' });
  assertSarif(log);
  assert.deepEqual(
    log.runs[0]!.results![0]!.relatedLocations!.map(
      ({ physicalLocation }) => physicalLocation!.region!.startLine,
    ).sort(),
    [3, 6],
  );
  assert.match(jobSummary(sample, findings), /alice[\s\S]*bob/);
});

test('who waits for whom is told with the places where they wait', () => {
  const waits = [
    '`ann` waits for a, held by `bob` (a.ts:3:5)',
    '`bob` waits for b, held by `ann` (a.ts:9:5)',
  ];
  const view = { ...dead, bug: { ...dead.bug, waits } };
  const [finding] = toldFindings(
    { report: { ...report, bugs: [view.bug] }, views: { bugs: [view], tests: {} }, hidden: NOTHING_HIDDEN },
    countingLists([]),
    read,
  );
  assert.deepEqual(
    finding?.steps.map(({ line, text }) => [line, text]),
    [
      [3, '`ann` waits for a, held by `bob`'],
      [9, '`bob` waits for b, held by `ann`'],
    ],
  );
  assert.equal(finding?.place?.line, 3);
});

test('SARIF: hostile text is text: a valid file without links', () => {
  const log = sarifLog(evil, { fileOf, version: '1' });
  assertSarif(log);
  const messages = JSON.stringify(log).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g);
  assert.deepEqual(
    Array.from(messages, ([, text]) => text!).filter((text) => text.includes('](')),
    [],
  );
  const braces = told().map((finding) => ({ ...finding, sentence: 'reads {0} of {}' }));
  const [first] = sarifLog(braces, { fileOf, version: '1' }).runs[0]!.results!;
  assert.match(first!.message.text!, /reads \{\{0\}\} of \{\{\}\}/, 'no placeholder');
});

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
}

/** By a parser that refuses what is not well-formed XML 1.0. */
function elements(xml: string): Element[] {
  const found: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => assert.fail(error));
  parser.on('opentag', ({ name, attributes }) =>
    found.push({ name, attributes: attributes as Record<string, string> }),
  );
  parser.write(xml).close();
  return found;
}

test('JUnit: a case for each test, failures for what counts, errors for what nobody could look at', () => {
  const all = elements(junitXml(sample, told(), countingLists([]), fileOf));
  const [root] = all;
  assert.deepEqual(
    [root!.attributes['tests'], root!.attributes['failures'], root!.attributes['skipped']],
    ['23', '2', '1'],
  );
  const of = (name: string) => all.filter((element) => element.name === name).length;
  assert.equal(of('testcase'), 23);
  assert.equal(of('failure'), 2);
  assert.equal(String(of('error')), root!.attributes['errors']);
  assert.equal(of('error'), 10);
  const isLeft = (one: ReportTest) => unseenAs(one, false) !== null;
  for (const one of report.tests.filter(isLeft)) {
    const alone = { report: { ...report, tests: [one] }, views };
    const kinds = (excused: string[], counting = countingLists([])) =>
      elements(junitXml({ ...alone, excused: new Set(excused) }, [], counting, fileOf)).map(
        ({ name }) => name,
      );
    const fails = exitCodeOf({ ...alone.report, bugs: [] }) === 3;
    assert.equal(kinds([]).includes('error'), fails, `${one.id}: an error is what makes the exit code 3`);
    assert.ok(!kinds([one.id]).includes('error'), `${one.id}: the baseline knows it`);
    assert.ok(!kinds([], new Set()).includes('error'), `${one.id}: nothing counts`);
  }
  const strict = elements(junitXml(sample, told(['timing']), countingLists(['timing']), fileOf));
  assert.equal(strict.filter(({ name }) => name === 'failure').length, 3);
});

test('JUnit: hostile text is text, also where XML has no way to say it', () => {
  const all = elements(junitXml(hostile, evil, countingLists([]), fileOf));
  const names = new Set(all.map(({ name }) => name));
  assert.deepEqual(names, new Set(['testsuites', 'testsuite', 'testcase', 'failure', 'error']));
  assert.match(all.find(({ name }) => name === 'testcase')!.attributes['name']!, /<script>.*\n::error/s);
});

test('GitLab: fingerprints, paths from the root and severities; nothing that is known', () => {
  assert.deepEqual(
    codeQuality(told(), fileOf).map(({ fingerprint, severity, location: { path, lines } }) =>
      [fingerprint, severity, path, lines.begin].join(' '),
    ),
    [
      'b7f3a1 critical packages/a/src/bank.ts 6',
      'b9 critical packages/a/test/mixed.test.ts 1',
      'b77 minor packages/a/src/cart.ts 4',
      'b4 info packages/a/test/stall.test.ts 1',
    ],
  );
});

test('GitHub: an annotation is one line, whatever is in it, and ten of a kind are all that a step has', () => {
  const lines = annotations(told(), fileOf);
  assert.deepEqual(
    lines.map((line) => /^::\w+/.exec(line)![0]),
    ['::error', '::error', '::warning', '::notice'],
  );
  assert.match(lines[0]!, /^::error title=lost update,file=packages\/a\/src\/bank\.ts,line=6,col=5::/);
  const [one] = annotations(evil, fileOf);
  assert.equal(one!.split(/[\r\n]/).length, 1);
  assert.match(one!, /%250A::error::injected, 100%25/);
  const flood = annotations(many(14, told()[0]!), fileOf);
  assert.equal(flood.length, 10);
  assert.match(flood[9]!, /and 5 more/);
});

test('GitHub: the summary has both lists, and stays within its room', () => {
  const text = jobSummary(sample, told());
  assert.match(text, /### Races in your code: 2\n[\s\S]*### Tests that depend on timing: 1 \(no races/);
  assert.ok(!text.includes('b55'), 'what is known is only counted');
  const long = jobSummary(sample, many(2000, told()[0]!), undefined, 200_000);
  assert.ok(Buffer.byteLength(long) <= 200_000);
  assert.match(long, /\d+ more findings: too long for this page/);
});

test('GitHub: text calls nobody and points to no issue', () => {
  const [finding] = told();
  const text = jobSummary(sample, [{ ...finding!, testTitle: 'ask @alice about #12' }]);
  // A comment stays between the two in what is rendered; in blocks nobody looks.
  assert.match(text, /ask \\@<!---->alice about \\#<!---->12/);
});

test('GitHub: hostile text makes no markup in the summary', () => {
  const text = jobSummary(hostile, evil);
  // What remains beside blocks and our own tags has a backslash before each character that could mean something.
  const prose = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '').replace(/<\/?code>|<!---->/g, '');
  assert.deepEqual(
    Array.from(prose.matchAll(/.{0,9}(?<!\\)[<[|@`].{0,9}/g), ([found]) => found),
    [],
  );
});
