/** What the summary says of each test; tests of one file that have nothing or the same to say are told together. */
import type { Report, ReportTest } from '../data/report.ts';
import { VERDICTS, type Verdict } from '../data/verdicts.ts';
import { caseOf, worstOf } from './cases.ts';
import { count, enumerate, shortList } from './layout.ts';
import {
  endlessLines,
  executedLines,
  leftLines,
  orderLines,
  pairsCutLines,
  silenceLines,
  together,
  unclearLines,
  undecidedLines,
  unseenLine,
} from './silence.ts';
import { forcedRuns, stateOf, type TestState, timingTests } from './test-state.ts';
import type { ReportViews, TestNotes } from './view.ts';

/** One entry of the summary: a line, and lines under it. */
export interface Entry {
  readonly state: TestState;
  readonly title: string;
  readonly label: string;
  readonly lines: readonly string[];
}

/** The order in which a reader wants to see the counts: bugs, what is nearly one, the rest. */
const ORDER: readonly Verdict[] = [
  'confirmed',
  'deadlock',
  'conditional',
  'passed',
  'infeasible',
  'diverged',
  'unknown',
];

/** `2 confirmed · 12 passed`. */
export function verdictCounts({ verdicts }: Pick<ReportTest, 'verdicts'>): string {
  const parts = ORDER.flatMap((verdict) =>
    verdicts[verdict] > 0 ? [`${verdicts[verdict]} ${verdict}`] : [],
  );
  return parts.length === 0 ? 'no order was forced' : parts.join(' · ');
}

const LABELS: Partial<Record<TestState, string>> = {
  red: 'RED',
  flaky: 'FLAKY',
  blind: 'BLIND',
  apart: 'NOT ANALYSABLE',
  guest: 'NOT FORCED',
  unclear: 'NOT JUDGED',
  unjudged: 'not judged',
  alone: 'no concurrency',
};

function labelOf(test: ReportTest, state: TestState): string {
  if (state === 'recorded') return `recorded: ${count(test.events, 'event')}, ${count(test.tasks, 'task')}`;
  if (state === 'predicted')
    return `${count(test.cutPoints, 'cut point')}, ${count(test.schedules, 'schedule')} to force`;
  if (state === 'unclear' && test.verdicts.unknown < forcedRuns(test))
    return `NOT JUDGED: ${verdictCounts(test)}`;
  if (state === 'partly') return `PARTLY ANALYSED: ${verdictCounts(test)}`;
  return LABELS[state] ?? verdictCounts(test);
}

function blindLine(test: ReportTest, notes: TestNotes): string {
  const why =
    notes.reason ??
    'tasks overlapped, but neither an access in instrumented source nor a gated request was recorded; try --instrument';
  return `nothing was checked (${count(test.tasks, 'task')}): ${why}`;
}

/** What ended the work on a test before it was complete. */
function cutBy(notes: TestNotes, ended: string | undefined): string | null {
  if (notes.budget) return `budget ended (${notes.budget.limit})`;
  return notes.reason ?? ended ?? null;
}

function onPlainNode({ plain }: TestNotes): string {
  if (plain) return ', on plain Node as well';
  return plain === null ? '; whether it does on plain Node is not known' : '';
}

/** Begins the reason of a test that is not flaky, but leans on others in a way that cannot be repeated. */
export const LEANS =
  'passes in the command, and neither by itself nor behind those before it in its file, so it was not analysed: ';
const leans = (notes: TestNotes): notes is TestNotes & { reason: string } =>
  notes.reason?.startsWith(LEANS) === true;

/** What is said because of how far the test came. */
function stateLines(test: ReportTest, state: TestState, notes: TestNotes, ended?: string): string[] {
  switch (state) {
    case 'red':
      return [
        `fails without any forcing${onPlainNode(notes)}, so it was not analysed: ${notes.reason ?? 'see its own output'}`,
      ];
    case 'flaky':
      if (leans(notes)) return [notes.reason];
      return [
        `does not pass every time in the observed order, so it was not analysed: ${notes.reason ?? 'see its own output'}`,
      ];
    case 'apart':
      return [`passes on plain Node; here: ${notes.reason ?? 'it fails'}; ${notes.plain?.cause ?? ''}`];
    case 'unjudged':
      return [`not judged: ${cutBy(notes, ended) ?? 'the run ended before'}`];
    case 'blind':
      return test.coverage === 'blind' ? [blindLine(test, notes)] : executedLines(test);
    case 'alone':
      return ['never were two answers of the host awaited at a time: nothing to reorder'];
    case 'unclear':
      return [
        ...undecidedLines(test),
        ...unclearLines(test, notes.unknown),
        ...endlessLines(test),
        ...executedLines(test),
      ];
    case 'silent':
      return [...orderLines(test), ...silenceLines(test, notes.silence), ...searchLines(notes)];
    case 'partly':
      if (test.coverage === 'no-concurrency') return [];
      return [
        ...executedLines(test),
        ...(test.analysis === 'partly' ? leftLines(test, cutBy(notes, ended)) : []),
        ...unclearLines(test, notes.unknown),
        ...silenceLines(test, notes.silence, false),
      ];
    case 'predicted':
      // The end of the run is told once, below all tests.
      return silenceLines(test, notes.silence, false);
    case 'bug':
    case 'timing':
    case 'conditional':
      if (test.analysis !== 'partly') return undecidedLines(test);
      return [
        ...undecidedLines(test),
        ...leftLines(test, cutBy(notes, ended)),
        ...unclearLines(test, notes.unknown),
      ];
    default:
      return [];
  }
}

/** What its processes did side by side, or by themselves, which is as good as not looked at. */
const besideLines = (beside: ReportTest['beside']): string[] => [
  ...new Set([...beside.filter(({ within }) => !within).map(besideLine), ...withinLines(beside)]),
];

function besideLine({ processes, shared }: ReportTest['beside'][number]): string {
  const both = shared.length > 0 ? `, which touch ${shortList(shared)}` : '';
  const alone = /^1 /.test(processes[0] ?? '') && processes.length === 1;
  return `not judged: what ${enumerate(processes)} ${alone ? 'does meanwhile' : 'do at the same time'}${both}`;
}

function withinLines(beside: ReportTest['beside']): string[] {
  const programs = [...new Set(beside.filter(({ within }) => within).flatMap(({ processes }) => processes))];
  if (programs.length === 0) return [];
  const how = programs.length === 1 ? 'does in a process of its own' : 'do in processes of their own';
  return [`not judged: what ${shortList(programs)} ${how}`];
}

function searchLines({ bounded, search }: TestNotes): string[] {
  if (bounded)
    return [
      `all ${count(bounded.orders, 'order')} with at most ${count(bounded.preemptions, 'preemption')} executed, none fails`,
    ];
  if (!search) return [];
  const kinds = count(search.orders, 'different order');
  return [
    `beside those predicted ${count(search.tried, 'schedule')} tried: ${kinds}, up to steps that commute`,
  ];
}

function naturalLine({ error, plain }: NonNullable<TestNotes['natural']>): string {
  if (plain === null)
    return `fails in the natural order, too, and passes where its calls come one behind the other`;
  const [ok, of] = plain.split('/');
  return `fails in the natural order, and passes on plain Node ${ok} of ${of}: analysed from the nearest order that passes; there: ${error}`;
}

/** What limits the analysis of a test in any state. */
function limitLines(notes: TestNotes): string[] {
  const { asked, atRealPace, likewise, natural, peers, restless, slow, strangers, unseen, ungated } = notes;
  const { saturated, stoodFor, swapped } = notes;
  const other = natural ? [naturalLine(natural)] : [];
  const alike = likewise
    ? [`${count(likewise, 'more scenario')} of these operations not forced: one finding is enough`]
    : [];
  const talks = (peers ?? []).map(
    (peer) =>
      `talked to ${peer}, which is another process: recorded and not forced; allow it with --allow-peer ${peer}`,
  );
  const children = asked
    ? [`failed where its child processes waited before each operation on a file, not each time: ${asked}`]
    : [];
  const lines = [...other, ...children, ...alike, ...talks];
  if (unseen && unseen.length > 0) lines.push(unseenLine(unseen));
  const calls = Object.entries(ungated ?? {}).map(([api, times]) => `${api} (${times}×)`);
  if (calls.length > 0) lines.push(`not controlled, ran when it ran: ${enumerate(calls)}`);
  if (restless)
    lines.push(
      `threads that did not come to rest in time could take no turns and were not looked into (${count(restless, 'test')})`,
    );
  if (slow)
    lines.push(
      `pass on plain Node, and here only as on a slow machine, where a look at the clock and an answer take a millisecond each: run so (${count(slow, 'test')})`,
    );
  if (atRealPace)
    lines.push(
      `pass on plain Node, and here only where no clock goes ahead of those of others: run so, at real pace (${count(atRealPace, 'test')})`,
    );
  if (strangers)
    lines.push(
      `threads touch nothing in common in the recorded run: only a few orders of their turns were tried (${count(strangers, 'test')})`,
    );
  if (swapped)
    lines.push(
      `nothing seen depends on the order: forced until steps that may change places had (${count(swapped, 'test')})`,
    );
  if (stoodFor)
    lines.push(
      `nothing seen depends on the order, and others were forced in which the same steps may change places: not forced (${count(stoodFor, 'test')})`,
    );
  if (saturated)
    lines.push(`${count(saturated, 'program point')} ran so often that later accesses were not recorded`);
  return lines;
}

/** Of interest to those who wonder why an analysis is slow. */
const slowLines = ({ ownProcesses }: ReportTest): string[] =>
  ownProcesses === null ? [] : [`each forced run had a process of its own: ${ownProcesses}`];

function entryOf(test: ReportTest, notes: TestNotes, isTiming: boolean, ended?: string): Entry {
  const state = stateOf(test, notes, isTiming);
  return {
    state,
    title: `${test.file} › ${test.name}${test.partOf === null ? '' : ' (threads)'}`,
    label: leans(notes) ? 'LEANS ON OTHER TESTS' : labelOf(test, state),
    lines: [...stateLines(test, state, notes, ended), ...besideLines(test.beside), ...limitLines(notes)],
  };
}

/** Tests with what is said of each. */
type ToldNotes = readonly { readonly test: ReportTest; readonly notes: TestNotes; readonly entry: Entry }[];

/** A stage alone, or a run that was ended: nobody has to look at each. */
const isBegun = ({ state }: Entry): boolean => state === 'recorded' || state === 'predicted';

const isQuiet = ({ state }: Entry): boolean => state === 'silent' || state === 'alone';

/** All that was left is what sources of the user's did in processes of their own, or where nobody looked. */
const isElsewhere = ({ entry, test }: ToldNotes[number]): boolean =>
  entry.state === 'partly' && test.analysis !== 'partly' && test.beside.every(({ within }) => within);

/** Workers of which more is told: they were looked at as threads. */
function withoutWorkers(notes: TestNotes): TestNotes {
  const { Worker: _, ...ungated } = notes.ungated ?? {};
  return { ...notes, ungated };
}

/** Where no order is left, nothing hangs on accesses that were not recorded. */
function ofOrders({ coverage, orders }: ReportTest, notes: TestNotes): TestNotes {
  if (coverage !== 'no-concurrency' && orders?.all !== true) return notes;
  const { saturated: _, ...others } = notes;
  return others;
}

/** The entries of all tests in the order of their files. `verbose`: one for each test. */
export function entriesOf(report: Report, views: ReportViews, verbose = false): Entry[] {
  const timing = timingTests(report);
  const ofThreads = new Set(report.tests.map(({ partOf }) => partOf));
  const told = report.tests.map((test) => {
    const own = ofOrders(test, views.tests[test.id] ?? {});
    const notes = ofThreads.has(test.id) ? withoutWorkers(own) : own;
    return { test, notes, entry: entryOf(test, notes, timing.has(test.id), views.ended) };
  });
  if (verbose)
    return told.map(({ entry, test }) => ({ ...entry, lines: [...entry.lines, ...slowLines(test)] }));
  const groups = new Map<string, (typeof told)[number][]>();
  const cases = Map.groupBy(told, ({ test }) => caseOf(test));
  for (const one of told) {
    const { entry, test } = one;
    const parts = cases.get(caseOf(test))!;
    if (parts.length > 1 && !parts.every((part) => isQuiet(part.entry))) {
      groups.set(JSON.stringify(['parts', caseOf(test)]), parts);
      continue;
    }
    const alike = isQuiet(entry)
      ? 'quiet'
      : isElsewhere(one)
        ? 'elsewhere'
        : isBegun(entry)
          ? entry.state
          : JSON.stringify([entry.state, entry.label, entry.lines]);
    const key = JSON.stringify([
      test.file,
      entry.state === 'bug' || entry.state === 'timing' ? test.id : alike,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map(folded);
}

/** One entry for tests of one file. */
function folded(group: ToldNotes): Entry {
  const { entry, test } = group[0]!;
  if (group.length === 1) return entry;
  if (casesIn(group) === 1) return ofParts(group);
  if (isQuiet(entry)) return quiet(group);
  if (isBegun(entry)) return begun(group);
  if (isElsewhere(group[0]!)) return elsewhere(group);
  const names = shortList(group.map(({ test: { name } }) => name));
  return { ...entry, title: `${test.file}  ${group.length} tests`, lines: [...entry.lines, names] };
}

const casesIn = (group: ToldNotes): number => new Set(group.map(({ test }) => caseOf(test))).size;

/** One entry for a case whose event loop and threads were looked at. */
function ofParts(group: ToldNotes): Entry {
  const state = worstOf(group.map(({ entry }) => entry.state));
  const what = ({ test }: ToldNotes[number]): string => (test.partOf === null ? 'event loop' : 'threads');
  const label = group.map((part) => `${what(part)}: ${part.entry.label}`).join('; ');
  const lines = group.flatMap((part) => part.entry.lines.map((line) => `${what(part)}: ${line}`));
  return { state, title: group[0]!.entry.title, label, lines };
}

/** There is one order of its host answers, by the recording or by having executed all. */
const hasOneOrder = ({ entry, test }: ToldNotes[number]): boolean =>
  entry.state === 'alone' || (test.orders?.all === true && test.orders.count <= 1);

function begun(group: ToldNotes): Entry {
  const { entry, test } = group[0]!;
  const of = (what: 'events' | 'tasks' | 'cutPoints' | 'schedules'): number =>
    group.reduce((all, one) => all + one.test[what], 0);
  const sums = {
    ...test,
    ...Object.fromEntries(
      (['events', 'tasks', 'cutPoints', 'schedules'] as const).map((what) => [what, of(what)]),
    ),
  };
  return {
    state: entry.state,
    title: `${test.file}  ${count(casesIn(group), 'test')}`,
    label: labelOf(sums, entry.state),
    lines: limitLines(limits(group)),
  };
}

function quiet(group: ToldNotes): Entry {
  const { file } = group[0]!.test;
  const rest = group.filter((one) => !hasOneOrder(one));
  const ones = group.length - rest.length;
  const how = rest.length === 0 ? ', one order each' : ones > 0 ? `, ${ones} with one order` : '';
  const lines = limitLines(limits(group));
  const title = `${file}  ${count(casesIn(group), 'test')}${how}`;
  if (rest.length === 0) return { state: 'alone', title, label: '', lines };
  return { state: 'silent', title, label: verdictCounts(sum(group)), lines: [...found(rest), ...lines] };
}

/** Tests that are quiet but for what other processes did. */
function elsewhere(group: ToldNotes): Entry {
  // How many orders each has says nothing of all of them.
  const test = { ...sum(group), orders: null };
  const beside = group.flatMap((one) => one.test.beside);
  return {
    state: 'partly',
    title: `${test.file}  ${count(casesIn(group), 'test')}`,
    label: labelOf(test, 'partly'),
    lines: [...executedLines(test), ...withinLines(beside), ...limitLines(limits(group))],
  };
}

/** Why nothing was found in tests that have more than one order. */
function found(rest: ToldNotes): string[] {
  const silence = together(rest.flatMap(({ notes }) => notes.silence ?? []));
  const all = rest.filter(({ test }) => test.orders?.all).length;
  const which = all === rest.length ? 'all orders' : `${count(all, 'test')} with all orders`;
  const each = all > 0 ? [`${which} that are feasible executed`] : [];
  if (silence.pairs === 0)
    return [
      ...each,
      'nothing found: no task wrote between two accesses of another',
      ...pairsCutLines(silence),
    ];
  return [...each, ...silenceLines(sum(rest), silence)];
}

/** The numbers of several tests as those of one. */
function sum(group: ToldNotes): ReportTest {
  const verdicts = { ...group[0]!.test.verdicts };
  for (const { test } of group.slice(1))
    for (const verdict of VERDICTS) verdicts[verdict] += test.verdicts[verdict];
  return { ...group[0]!.test, verdicts };
}

/** What limits any of them. */
function limits(group: ToldNotes): TestNotes {
  const ungated: Record<string, number> = {};
  for (const { notes } of group)
    for (const [api, times] of Object.entries(notes.ungated ?? {}))
      ungated[api] = (ungated[api] ?? 0) + times;
  const all = (of: (notes: TestNotes) => readonly string[] | undefined): string[] => [
    ...new Set(group.flatMap(({ notes }) => of(notes) ?? [])),
  ];
  return {
    ungated,
    peers: all(({ peers }) => peers),
    unseen: all(({ unseen }) => unseen),
    restless: group.reduce((tests, { notes }) => tests + (notes.restless ?? 0), 0),
    slow: group.reduce((tests, { notes }) => tests + (notes.slow ?? 0), 0),
    atRealPace: group.reduce((tests, { notes }) => tests + (notes.atRealPace ?? 0), 0),
    swapped: group.reduce((tests, { notes }) => tests + (notes.swapped ?? 0), 0),
    stoodFor: group.reduce((tests, { notes }) => tests + (notes.stoodFor ?? 0), 0),
    strangers: group.reduce((tests, { notes }) => tests + (notes.strangers ?? 0), 0),
    saturated: group.reduce((points, { notes }) => points + (notes.saturated ?? 0), 0),
  };
}
