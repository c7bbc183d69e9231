/** The suite: how far each test was analysed, what was looked into, and which state its tests share. */
import { entriesOf } from '../entries.ts';
import { count } from '../layout.ts';
import type { Findings } from '../reporter-api.ts';
import { forcedRuns, type TestState } from '../test-state.ts';
import type { SuiteView } from '../view.ts';
import { type Markup, markup, NOTHING, prose } from './markup.ts';

const CLASS: Partial<Record<TestState, string>> = {
  bug: 'st-bug',
  timing: 'st-timing',
  silent: 'st-ok',
  alone: 'st-ok',
  red: 'st-loud',
  flaky: 'st-loud',
  blind: 'st-loud',
  apart: 'st-loud',
  guest: 'st-loud',
  unclear: 'st-loud',
  unjudged: 'st-loud',
  partly: 'st-timing',
};

const STATES: Readonly<Record<TestState, string>> = {
  bug: '✗ race',
  timing: '~ timing',
  red: '! red',
  flaky: '! flaky',
  apart: '! not analysable',
  unjudged: '! not judged',
  blind: '! blind',
  guest: '! not forced',
  unclear: '! not judged',
  conditional: '? conditional',
  partly: '◐ partly',
  recorded: '· recorded',
  predicted: '· predicted',
  silent: '✓ silent',
  alone: '✓ one order',
};

/** Orders executed of those that are feasible, as far as that is known. */
function ordersOf(orders: { count: number; all: boolean } | null): string {
  if (orders === null) return '';
  return orders.all ? `all ${orders.count}` : `of about ${Math.round(orders.count).toLocaleString('en')}`;
}

/** A row for each test, what is said of it folded under its name. */
export function testsTable({ report, views }: Pick<Findings, 'report' | 'views'>): Markup {
  const rows = entriesOf(report, views, true).map(({ state, lines }, at) => {
    const test = report.tests[at]!;
    const title = markup`${test.file} › ${test.name}${test.partOf === null ? '' : ' (threads)'}`;
    const name =
      lines.length === 0
        ? title
        : markup`<details class="more"><summary>${title}</summary>${lines.map((line) => markup`<p class="dim">${prose(line)}</p>`)}</details>`;
    return markup`<tr data-test><td class="${CLASS[state] ?? ''}">${STATES[state]}</td><td class="name">${name}</td><td>${test.baseline ?? '–'}</td><td>${test.coverage ?? '–'}</td><td class="num">${test.events}</td><td class="num">${test.tasks}</td><td class="num">${test.sharedEntities}</td><td class="num">${test.cutPoints}</td><td class="num">${forcedRuns(test)}</td><td class="num">${test.left}</td><td>${ordersOf(test.orders)}</td></tr>\n`;
  });
  return markup`<div class="wide" tabindex="0" role="group" aria-label="Table of tests"><table><thead><tr><th scope="col">state</th><th scope="col">test</th><th scope="col">baseline</th><th scope="col">coverage</th><th scope="col" class="num">events</th><th scope="col" class="num">tasks</th><th scope="col" class="num">shared</th><th scope="col" class="num">cut points</th><th scope="col" class="num">forced</th><th scope="col" class="num">left</th><th scope="col">feasible orders</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** What was instrumented and held, and what was not. */
export function lookedInto({ views }: Pick<Findings, 'views'>): Markup {
  const notes = Object.values(views.tests);
  const ungated = new Map<string, number>();
  for (const { ungated: calls } of notes)
    for (const [api, times] of Object.entries(calls ?? {})) ungated.set(api, (ungated.get(api) ?? 0) + times);
  const all = (of: (note: (typeof notes)[number]) => readonly string[] | undefined): string[] =>
    [...new Set(notes.flatMap((note) => of(note) ?? []))].toSorted();
  const saturated = notes.reduce((sum, note) => sum + (note.saturated ?? 0), 0);
  const row = (title: string, items: readonly string[], none: string): Markup =>
    items.length === 0
      ? markup`<p><strong>${title}:</strong> <span class="dim">${none}</span></p>`
      : markup`<details class="more"><summary>${title}: ${items.length}</summary><ul>${items.map((item) => markup`<li><code>${item}</code></li>`)}</ul></details>`;
  return markup`${views.suite ? row('Sources in which accesses were recorded', views.suite.files, 'none') : NOTHING}${row(
    'Sources that ran without being looked into',
    all(({ unseen }) => unseen),
    'none',
  )}${row(
    'Calls of the host that nothing held',
    [...ungated].map(([api, times]) => `${api} (${times}×)`),
    'none',
  )}${row(
    'Servers in other processes that are not allowed',
    all(({ peers }) => peers),
    'none',
  )}<p><strong>Program points over budget:</strong> ${saturated === 0 ? 'none' : `${count(saturated, 'point')} ran so often that later accesses were not recorded`}</p>`;
}

/** State that several tasks of a test touch, and which lock was held at every access. */
export function entityMap({ entities, moreEntities }: SuiteView, titleOf: (test: string) => string): Markup {
  if (entities.length === 0) return markup`<p class="dim">no state is shared between tasks</p>`;
  const rows = entities.map(({ name, tests }) => {
    const locks = tests.reduce<ReadonlySet<string>>(
      (common, { locks: held }) => common.intersection(new Set(held)),
      new Set(tests[0]?.locks),
    );
    const sum = (of: 'reads' | 'writes'): number => tests.reduce((all, test) => all + test[of], 0);
    const list = tests
      .slice(0, 20)
      .map(
        ({ test, tasks }) =>
          markup`<p>${titleOf(test)} <span class="dim">${tasks.slice(0, 6).join(', ')}</span></p>`,
      );
    const more = tests.length > 20 ? markup`<p class="dim">and ${tests.length - 20} more</p>` : NOTHING;
    return markup`<tr><td class="name"><code>${name}</code></td><td><details class="more"><summary>${count(tests.length, 'test')}</summary>${list}${more}</details></td><td class="num">${sum('reads')}</td><td class="num">${sum('writes')}</td><td>${locks.size === 0 ? markup`<span class="dim">no lock at every access</span>` : markup`<code>${[...locks].join(', ')}</code>`}</td></tr>\n`;
  });
  return markup`<div class="wide" tabindex="0" role="group" aria-label="Map of shared state"><table><thead><tr><th scope="col">shared state</th><th scope="col">touched by</th><th scope="col" class="num">reads</th><th scope="col" class="num">writes</th><th scope="col">kept apart by</th></tr></thead><tbody>${rows}</tbody></table></div>${moreEntities > 0 ? markup`<p class="dim">and ${moreEntities} more</p>` : NOTHING}`;
}

/** Every prediction: what it is about, why, and what became of it. */
export function predictionsTable(
  { predictions, morePredictions }: SuiteView,
  titleOf: (test: string) => string,
): Markup {
  if (predictions.length === 0) return markup`<p class="dim">nothing was predicted</p>`;
  const rows = predictions.map(({ id, kind, test, entity, places, why, verdict }) => {
    const where = places.map(
      ({ task, what, at }) => markup`<p><code>${at}</code> <span class="dim">${task} ${what}</span></p>`,
    );
    const state = verdict === 'confirmed' || verdict === 'deadlock' ? 'st-bug' : '';
    return markup`<tr><td><code>${id}</code></td><td>${kind}${entity === null ? NOTHING : markup` on <code>${entity}</code>`}<p class="dim">${titleOf(test)}</p></td><td>${where}</td><td class="name">${why}</td><td class="${state}">${verdict ?? 'not run by itself'}</td></tr>\n`;
  });
  return markup`<details class="more"><summary>Show ${predictions.length}</summary><div class="wide" tabindex="0" role="group" aria-label="Table of predictions"><table><thead><tr><th scope="col">id</th><th scope="col">kind</th><th scope="col">places</th><th scope="col">predicted because</th><th scope="col">verdict</th></tr></thead><tbody>${rows}</tbody></table></div>${morePredictions > 0 ? markup`<p class="dim">and ${morePredictions} more: unweave inspect lists them</p>` : NOTHING}</details>`;
}
