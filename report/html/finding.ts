/** One finding: what a reader needs in ten seconds at its head, and everything that bears it out below. */
import type { FailList } from '../../data/fail-on.ts';
import { adviceLine } from '../advice.ts';
import {
  AGAINST,
  conditionOf,
  counterfactual,
  overNetwork,
  proof,
  whenSentence,
  whenThreads,
} from '../bug.ts';
import type { ToldFinding } from '../finding.ts';
import { fixCheck, together } from '../head.ts';
import { findMoves } from '../moves.ts';
import { pairOf } from '../pair.ts';
import { place, verb } from '../phrase.ts';
import type { MarkedPlace } from '../places.ts';
import type { SourceReader } from '../sources.ts';
import { userFrames } from '../stack.ts';
import type { BugView, StepRow } from '../view.ts';
import { witnessSentence } from '../witness.ts';
import { type Diagram, diagram } from './diagram.ts';
import { type Markup, type MarkupValue, markup, NOTHING, prose } from './markup.ts';
import { type SideOrder, sideBySide } from './nearest.ts';

const MOST_MESSAGE = 4000;
const MOST_CALLS = 4;
/** Lines of source above and below an access. */
const AROUND = 3;
const LONGEST_LINE = 200;

export interface FindingContext {
  readonly read: SourceReader;
  readonly cwd: string;
  /** Lists that count for the exit code, where not those that do by default. */
  readonly counting?: ReadonlySet<FailList>;
  /** How much room pictures and excerpts still have; they are left out, and that is said, where there is none. */
  readonly isFull: boolean;
}

const MARK = { race: '✗', timing: '~', conditional: '?' } as const;

/** Within a summary, which may hold phrases only; nothing in it can be clicked but the summary. */
const placesOf = (accesses: readonly MarkedPlace[]): MarkupValue =>
  accesses.map(
    (at) =>
      markup`<span>${at.mark} <code>${place(at)}</code> <span class="dim">${at.access.task} ${verb(at.access.access)}</span></span> `,
  );

function head(finding: ToldFinding): Markup {
  const { bug, list, hidden, name, sentence, advice, accesses, steps, testTitle } = finding;
  const where =
    accesses.length > 0
      ? markup`<span class="places">${placesOf(accesses)}</span>`
      : steps.length > 0
        ? markup`<span class="places">${steps.map((step) => markup`<span><code>${place(step)}</code> <span class="dim">${step.text}</span></span> `)}</span>`
        : markup`${bug.waits.slice(0, 3).map((line) => markup`<span class="places">${prose(line)}</span>`)}`;
  const fix =
    advice === null
      ? NOTHING
      : markup`<span class="fix"><strong>${advice.label}:</strong> ${prose(advice.text)}</span>`;
  const tags = [
    hidden,
    list === 'timing' ? 'timing-dependent' : null,
    bug.conditional === null ? null : 'conditional',
  ].flatMap((tag) => (tag ? [markup` <span class="tag">${tag}</span>`] : []));
  const likely =
    bug.likelihood === null
      ? ''
      : ` · ${bug.likelihood === 'any run' ? 'happens in' : 'takes'} ${bug.likelihood}`;
  return markup`<summary><h3><b>${MARK[list]} ${name}</b>: ${prose(sentence)}</h3>${where}${fix}<span class="meta">${testTitle} · ${bug.id} · reproduced ${bug.reproduced}${likely}${tags}</span></summary>`;
}

const section = (title: string, ...of: readonly MarkupValue[]): Markup => markup`<h4>${title}</h4>${of}`;
const paragraphs = (...texts: readonly string[]): Markup[] =>
  texts.filter((text) => text !== '').map((text) => markup`<p>${prose(text)}</p>`);

const at = (rows: Iterable<StepRow>): Set<number> =>
  new Set([...rows].flatMap((row) => (row.at === undefined ? [] : [row.at])));

/** Rows as they are drawn have a place in the order; those of a view that has none are numbered. */
function numbered(view: BugView): BugView {
  if (view.timeline) return view;
  return { ...view, failing: view.failing.map((row, index) => ({ ...row, at: index })) };
}

function legend({ bug, timeline }: BugView, { folded, isBare }: Diagram): string {
  return [
    `Time goes down. → moved against ${AGAINST[bug.against]}.`,
    ...(timeline && timeline.requests.length > 0
      ? ['Thin lines: a request, from where it is made through its effect (dot) to its answer.']
      : []),
    ...(timeline && timeline.locks.length > 0 ? ['Green bars: locks held.'] : []),
    ...(folded > 0 ? [`${folded} steps are folded.`] : []),
    ...(isBare
      ? ['The run was not recorded for this report: of the accesses only their order is known.']
      : []),
  ].join(' ');
}

function orderSection(view: BugView, id: string, moved: ReadonlySet<StepRow>, read: SourceReader): Markup {
  const moves = findMoves(view.natural, view.failing);
  const drawn: Diagram = diagram(view, id, { moved: at(moved), pair: at(pairOf(view, moves)) }, read);
  if (drawn.lines.length === 0) return NOTHING;
  return section(
    'The failing order',
    markup`<div class="wide" tabindex="0" role="group" aria-label="Diagram of the failing order">${drawn.svg}</div>`,
    markup`<p class="legend">${legend(view, drawn)}</p>`,
    markup`<p class="steps" hidden><button type="button" class="prev">‹ step</button> <button type="button" class="next">step ›</button> <span class="where" role="status"></span></p>`,
    markup`<details class="all"><summary>The same in words</summary><ol class="plainlist">${drawn.lines.map((line) => markup`<li>${line}</li>`)}</ol></details>`,
  );
}

function compared(view: BugView, moved: ReadonlySet<StepRow>): Markup {
  const both = sideBySide(view, moved);
  const near = counterfactual(view);
  if (!both) return near === '' ? NOTHING : section('One step away', ...paragraphs(near));
  const list = ({ lines, from, left }: SideOrder): Markup =>
    markup`<ol start="${from + 1}">${lines.map(({ text, isMoved }) => markup`<li>${isMoved ? markup`<mark>${text}</mark>` : text}</li>`)}</ol>${left > 0 ? markup`<p class="dim">${left} more steps are not shown</p>` : NOTHING}`;
  return section(
    'Fails and passes',
    markup`<div class="cmp"><div class="bad"><h5>fails ${view.bug.reproduced}</h5>${list(both.fails)}</div><div class="good"><h5>${both.title}</h5>${list(both.passes)}</div></div>`,
    ...paragraphs(near),
    markup`<p class="legend">${both.remark}</p>`,
  );
}

/** The lines around a place, once for accesses that share it. */
function excerpts({ accesses, view }: ToldFinding, read: SourceReader): Markup {
  const byPlace = Map.groupBy(accesses, (access) => place(access));
  const told = [...byPlace].map(([where, here]) => {
    const first = here[0]!;
    const who = here.map(({ mark, access }) => `${mark} ${access.task} ${verb(access.access)}`).join(', ');
    const lines = read(first.file)?.split('\n');
    const from = Math.max(0, first.line - 1 - AROUND);
    const rows =
      lines && first.line <= lines.length
        ? lines.slice(from, first.line + AROUND).map((text, index) => {
            const n = from + index + 1;
            const isHit = n === first.line;
            const marks = here.map(({ mark }) => mark).join('');
            return markup`<span class="n">${isHit ? `${marks} ` : ''}${n}</span><span class="${isHit ? 'hit' : ''}">${text.slice(0, LONGEST_LINE) || ' '}</span>`;
          })
        : [
            markup`<span class="n">${here.map(({ mark }) => mark).join('')}</span><span>${view?.cutPoint?.[first.role].text || 'the source is not there any more'}</span>`,
          ];
    const calls = first.access.calledFrom
      .slice(0, MOST_CALLS)
      .map(
        (call) =>
          markup`<li class="dim">called from <code>${place(call)}</code>${call.function === '' || call.function.includes('@') ? '' : ` in ${call.function}`}</li>`,
      );
    return markup`<p><code>${where}</code> <span class="dim">${who}</span></p><pre tabindex="0"><span class="code">${rows}</span></pre><ul class="plainlist">${calls}</ul>`;
  });
  return told.length === 0 ? NOTHING : section('Source', ...told);
}

function errorSection({ error }: BugView, cwd: string): Markup {
  const message = error.message.trimEnd();
  const cut = message.length > MOST_MESSAGE ? `\n… ${message.length - MOST_MESSAGE} more characters` : '';
  const named = error.name === '' ? '' : `${error.name}: `;
  const frames = userFrames(error.stack, cwd)
    .map((frame) => `\n    ${frame}`)
    .join('');
  return section(
    'The test says',
    markup`<pre tabindex="0">${named}${message.slice(0, MOST_MESSAGE)}${cut}${frames}</pre>`,
  );
}

function body(finding: ToldFinding, { read, cwd, isFull, counting }: FindingContext): Markup {
  const { bug, view: given, advice } = finding;
  const replay = section(
    'See it again',
    markup`<p><code>${bug.replay}</code> <button type="button" class="copy" hidden aria-label="Copy the command that replays ${bug.id}">Copy</button></p>`,
  );
  if (!given)
    return markup`${section('The test says', markup`<pre tabindex="0">${bug.error.slice(0, MOST_MESSAGE)}</pre>`)}<p class="dim">Of an earlier command: its order was not recorded again.</p>${replay}`;
  const view = numbered(given);
  const moved = new Set(findMoves(view.natural, view.failing).map(({ step }) => step));
  const plain = view.witness ?? (bug.witness === null ? null : { ratio: bug.witness, why: null });
  const id = `order-${bug.id}`;
  return markup`${bug.conditional === null ? NOTHING : paragraphs(conditionOf(bug.conditional, counting))}${
    bug.waits.length > 0
      ? section(
          'Who waits for what',
          markup`<ul>${bug.waits.map((line) => markup`<li>${prose(line)}</li>`)}</ul>`,
        )
      : NOTHING
  }${
    isFull
      ? markup`<p class="dim">No room was left on this page for the order and the source: ${bug.replay} shows them.</p>`
      : [orderSection(view, id, moved, read), compared(view, moved), excerpts(finding, read)]
  }${errorSection(view, cwd)}${section(
    'When',
    ...(view.threads ? paragraphs(whenThreads(view)) : paragraphs(whenSentence(view), overNetwork(view))),
  )}${section('What to fix', ...paragraphs(advice === null ? '' : adviceLine(advice), together(view), fixCheck(bug)))}${section(
    'Proof',
    ...paragraphs(proof(view), plain ? witnessSentence(plain) : ''),
    bug.variants.length > 0
      ? markup`<p>${bug.variants.length} more triples of accesses end in the same error</p>`
      : NOTHING,
  )}${replay}`;
}

export function findingMarkup(finding: ToldFinding, isOpen: boolean, context: FindingContext): Markup {
  const { bug, list, hidden } = finding;
  return markup`<details class="f ${list}${hidden ? ' hid' : ''}" id="bug-${bug.id}" data-list="${hidden ?? list}"${isOpen ? markup` open` : NOTHING}>${head(finding)}<div class="body"><p class="meta"><a href="#bug-${bug.id}">Link to ${bug.id}</a></p>${body(finding, context)}</div></details>\n`;
}
