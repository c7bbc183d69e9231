/** The page: one file that is opened from anywhere and asks nobody for anything. */
import { createHash } from 'node:crypto';
import type { ToldFinding } from '../finding.ts';
import { LIST_TITLES, LISTS, remarkOn } from '../lists.ts';
import type { Findings } from '../reporter-api.ts';
import { closing } from '../summary.ts';
import { type FindingContext, findingMarkup } from './finding.ts';
import { type Markup, markup, NOTHING, prose } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { entityMap, lookedInto, predictionsTable, testsTable } from './suite.ts';

/** What findings may take before their orders and sources are left out, characters. */
const ROOM = 6_000_000;
/** Findings with their orders and sources. */
const MOST_IN_FULL = 300;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing runs but this script, nothing is fetched, nothing is sent. */
const POLICY = `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'`;

/** Findings list by list; pieces, since there may be many. */
function* lists(
  findings: readonly ToldFinding[],
  context: Omit<FindingContext, 'isFull'>,
): Generator<Markup> {
  let room = ROOM;
  let told = 0;
  for (const list of LISTS) {
    const of = findings.filter((finding) => finding.list === list);
    if (of.length === 0) continue;
    const remark = remarkOn(list, context.counting);
    yield markup`<h2 id="${list}">${LIST_TITLES[list]} <small>${of.length}${remark === '' ? '' : ` · ${remark}`}</small></h2>\n`;
    for (const finding of of) {
      const isFull = room <= 0 || told >= MOST_IN_FULL;
      const one = findingMarkup(finding, told === 0, { ...context, isFull });
      room -= one.text.length;
      told += 1;
      yield one;
    }
  }
  const left = findings.length - MOST_IN_FULL;
  if (left > 0 || room <= 0)
    yield markup`<p class="dim">Orders and sources are shown of the first findings only, so that this page stays usable.</p>`;
}

function controls(findings: readonly ToldFinding[]): Markup {
  if (findings.length === 0) return NOTHING;
  const kinds = [
    ['race', 'races'],
    ['timing', 'timing-dependent'],
    ['conditional', 'conditional'],
    ['known', 'known'],
    ['ignored', 'ignored'],
  ] as const;
  const buttons = kinds.flatMap(([kind, title]) => {
    const of = findings.filter(({ list, hidden }) => (hidden ?? list) === kind).length;
    return of === 0
      ? []
      : [markup`<button type="button" aria-pressed="true" data-list="${kind}">${title} ${of}</button>`];
  });
  return markup`<div class="bar" role="search" hidden><input type="search" id="search" aria-label="Search findings and tests" placeholder="Search ( / )">${buttons}<button type="button" id="open">Fold or unfold all</button><span id="shown" class="dim" role="status"></span></div>`;
}

/** The page in pieces. */
export function* htmlPage(
  all: Findings,
  findings: readonly ToldFinding[],
  context: Omit<FindingContext, 'isFull'> & { readonly version: string },
): Generator<string> {
  const { report, views, hidden } = all;
  const [first = '', ...rest] = closing(report, views, hidden);
  const [found = '', ...parts] = first.split(' · ');
  const titles = new Map(report.tests.map(({ id, file, name }) => [id, `${file} › ${name}`]));
  // The policy comes first: it does not hold for what stands before it.
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`;
  yield `<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>Unweave report</title>\n<style>${STYLE}</style>\n</head>\n<body>\n`;
  yield markup`<a class="skip" href="#findings">Skip to the findings</a><header><h1>${prose(found)}</h1><p>${prose(parts.join(' · '))}</p>${rest.map((line) => markup`<p class="dim">${prose(line)}</p>`)}${controls(findings)}</header>\n<main id="findings">\n`
    .text;
  if (findings.length === 0)
    yield '<p>Nothing was confirmed. What was looked at, and what was not, is below.</p>\n';
  for (const piece of lists(findings, context)) yield piece.text;
  yield markup`<h2 id="tests">Tests <small>${report.tests.length}</small></h2>\n`.text;
  yield testsTable(all).text;
  yield markup`<h2 id="looked">What was looked into</h2>\n${lookedInto(all)}\n`.text;
  if (views.suite)
    yield markup`<h2 id="predictions">Predictions <small>${views.suite.predictions.length + views.suite.morePredictions}, confirmed or not</small></h2>\n${predictionsTable(views.suite, (id) => titles.get(id) ?? id)}\n`
      .text;
  if (views.suite)
    yield markup`<h2 id="shared">Shared state <small>touched by more than one task of a test in its natural order</small></h2>\n${entityMap(views.suite, (id) => titles.get(id) ?? id)}\n`
      .text;
  yield markup`</main>\n<footer>Written by unweave ${context.version}. A finding is an order of answers, timers or threads that was forced on the program, in which its test failed; see its proof.</footer>\n`
    .text;
  yield `<script>${SCRIPT}</script>\n</body>\n</html>\n`;
}
