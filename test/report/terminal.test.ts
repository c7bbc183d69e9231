import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { PATTERNS } from '../../data/prediction.ts';
import { renderBug } from '../../report/bug.ts';
import { makeStyle } from '../../report/style.ts';
import { renderReport } from '../../report/terminal.ts';
import type { BugView } from '../../report/view.ts';
import { matchesGolden } from './golden.ts';
import {
  CWD,
  calledFrom,
  checkThenAct,
  conditional,
  deadlock,
  everyState,
  everyStateViews,
  lostUpdate,
  ofPattern,
  read,
} from './samples.ts';

const context = (width = 100, color = false) => ({ style: makeStyle(color, width), read, cwd: CWD });
const text = (view: BugView, width?: number) => `${renderBug(view, context(width)).join('\n')}\n`;

const SAMPLES: Record<string, BugView> = {
  'lost-update': lostUpdate,
  'called-from': calledFrom,
  'check-then-act': checkThenAct,
  deadlock,
  conditional,
  ...Object.fromEntries(PATTERNS.map((pattern) => [`pattern-${pattern}`, ofPattern(pattern)])),
};

for (const [name, view] of Object.entries(SAMPLES))
  test(`report of a bug: ${name}`, () => matchesGolden(name, text(view)));

/** Lines that a reader sees at once, also where several findings share a screen. */
const AT_ONCE = 14;

for (const [name, view] of Object.entries(SAMPLES))
  test(`the first lines name the defect, the places and what to do: ${name}`, () => {
    const lines = renderBug(view, context()).slice(0, AT_ONCE);
    const [, rest = ''] = /^(.*?)\n\n/s.exec(`${lines.join('\n')}\n\n`) ?? [];
    const head = rest.replace(/\s+/g, ' ');
    const { first, remote, second, waits } = view.bug;
    for (const access of [first, remote, second])
      if (access) assert.ok(head.includes(`${access.file}:${access.line}`), head);
    for (const line of waits) assert.ok(head.includes(line.replaceAll('`', '`')), head);
    assert.match(head, / (Fix|Where to look|Advice, not tried|Helps in part|In general): /);
  });

test('a narrow terminal gets a narrow report', () => {
  const narrow = text(lostUpdate, 64);
  matchesGolden('lost-update-narrow', narrow);
  // Source lines are the user's; everything that we lay out obeys the width.
  const ours = narrow.split('\n').filter((line) => !/^\s*(>\s*)?(\d+)? \|/.test(line));
  assert.deepEqual(
    ours.filter((line) => line.length > 64),
    [],
  );
});

test('a whole report: every state of a test, conditional bugs last', () =>
  matchesGolden('whole', renderReport(everyState, everyStateViews, context())));

test('a finding says which sources of the test were not looked into', () => {
  const told = renderBug(lostUpdate, context(), { unseen: ['src/view.tsx'] }).join(' ');
  assert.match(told, /ran without being looked into: src\/view\.tsx/);
});

test('hidden bugs are counted, not shown', () => {
  const hidden = new Map([[lostUpdate.bug.id, 'known' as const]]);
  const out = renderReport(everyState, everyStateViews, context(), hidden);
  assert.ok(!out.includes('lost update'));
  assert.match(out, /known b7f3a1: RWW on `Account#balance` in test\/t1\.test\.ts › two deposits/);
  assert.match(out, /no bug confirmed in 23 tests · 1 conditional · .* · 1 known · /);
});

test('colours change nothing but colours', () => {
  for (const view of Object.values(SAMPLES)) {
    const colored = renderBug(view, context(100, true)).join('\n');
    assert.notEqual(colored, stripVTControlCharacters(colored));
    // Code in backticks is marked by colour instead, and code frames pad their gutter.
    const bare = (s: string) =>
      stripVTControlCharacters(s)
        .replace(/[`\s]+/g, ' ')
        .replaceAll(' >', '>')
        .trim();
    const same = bare(renderBug(view, context(100, false)).join('\n')).replace(/\s/g, '');
    assert.equal(bare(colored).replace(/\s/g, ''), same);
  }
});
