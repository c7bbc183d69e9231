/**
 * The shape of a bug in a sentence, and what to do about it. A developer knows "lost update";
 * nobody knows "RWW".
 */

import type { Shape as Triple } from '../data/prediction.ts';
import type { ReportAccess, ReportBug } from '../data/report.ts';
import { isOfTests } from '../data/test-files.ts';
import { code, describeEntity, isFile, isPathEntry } from './entity.ts';
import { withHolders } from './holders.ts';
import { isCircle } from './lock-waits.ts';
import { findMoves } from './moves.ts';
import { apart, stepPhrase } from './phrase.ts';
import { isRead, lineOf, pathNoun, shapeOfName } from './shape-of-names.ts';
import { type SourceReader, sourceLine } from './sources.ts';
import { circle, stuckThreads } from './stuck.ts';
import type { BugView, CutPointView, ShapeText } from './view.ts';
import { wakeUpSentence } from './wake-up.ts';

const TESTS =
  /\b(if|while)\s*\(|\?\?|\|\||&&|\.(has|includes|indexOf|some|find|stat|lstat|access)\(|existsSync\(/;

/** True when the line of e1 decides something: then the defect is the gap between check and act. */
function isCheck(cut: CutPointView, read: SourceReader): boolean {
  const line = sourceLine(read, cut.first) ?? cut.first.text;
  return (isPathEntry(cut.entity) && !isRead(cut, cut.first, read)) || TESTS.test(line) || isGuard(cut, read);
}

/** `const known = this.cache.get(key); if (known) return known; …`: the value decides, and what is written is not made of it. */
function isGuard({ first, second }: CutPointView, read: SourceReader): boolean {
  const name = /\b(?:const|let|var)\s+([\w$]+)\s*=/.exec(sourceLine(read, first) ?? '')?.[1];
  if (name === undefined) return false;
  const names = (line: string | null): boolean =>
    line !== null && line.match(/[\w$]+/g)?.includes(name) === true;
  const next = sourceLine(read, { ...first, line: first.line + 1 });
  return next !== null && /^\s*if\b/.test(next) && names(next) && !names(sourceLine(read, second));
}

/** Names two tasks; two runs of one function have one name. */
function actors(cut: CutPointView): Omit<ShapeWords, 'it'> {
  const [a, b, c] = [cut.first.task, cut.remote.task, cut.second.task];
  const back = c === a ? null : code(c);
  if (a !== b) return { local: code(a), remote: code(b), both: `${code(a)} and ${code(b)}`, back };
  return { local: `one ${code(a)}`, remote: `another ${code(a)}`, both: `two runs of ${code(a)}`, back };
}

/** Both tasks run the same statement as their write, so both came through the same read. */
function symmetric(cut: CutPointView): boolean {
  const { remote, second } = cut;
  return remote.file === second.file && remote.line === second.line && remote.column === second.column;
}

interface ShapeWords {
  readonly it: string;
  readonly local: string;
  readonly remote: string;
  readonly both: string;
  /** Who makes the last access, where that is neither: a callback of the first one. */
  readonly back: string | null;
}

function readThenWrite(
  cut: CutPointView,
  { it, local, remote, both, back }: ShapeWords,
  read: SourceReader,
): ShapeText {
  if (isCheck(cut, read))
    return {
      name: 'check-then-act',
      sentence: symmetric(cut)
        ? `${both} both checked ${it} before either acted on the answer`
        : `${local} checked ${it}, ${remote} changed it, then ${back ?? local} acted on the old answer`,
      hint: isPathEntry(cut.entity)
        ? 'let one operation check and act at once (open with flag `wx`, `mkdir` and handle EEXIST), or hold a lock from ① to ③'
        : isGuard(cut, read)
          ? 'let whoever comes second join the work of the first (keep its promise where the value will be), or check again after the last `await` before ③, or hold a lock from ① to ③'
          : 'check again after the last `await` before ③, or reserve before the first `await`, or hold a lock from ① to ③',
    };
  return {
    name: 'lost update',
    sentence: symmetric(cut)
      ? `${both} both read ${it} before either wrote it`
      : `${local} read ${it}, ${remote} wrote it, then ${back ?? local} ${ADDS.test(lineOf(cut.second, read)) ? 'changed that on the ground of' : 'wrote over that from'} ${back ? 'the' : 'its'} old value`,
    hint: isFile(cut.entity)
      ? 'keep ① to ③ atomic: hold one lock across the read and the write, or put every change of this file through one queue'
      : 'keep ① to ③ atomic: read and write in one statement with no `await` between (take the value after the `await`), or hold a lock across both',
  };
}

/** What was there before stays. */
const ADDS = /\.(push|unshift|splice|append|add|write)\(|appendFile|\+\+|--|[-+*/|&?]=(?!=)/;

const OWN_COPY =
  'keep your own copy instead of reading the shared one back, give each task its own place, or hold a lock from ① to ③';

const COUNTS = /\+\+|--|[-+]=/;

/** What mends two reads that differ depends on what is read. */
function readTwice({ first, remote, second }: CutPointView, read: SourceReader): string {
  const lock = 'hold a lock from ① to ③';
  if (first.file === second.file && first.line === second.line && first.column === second.column)
    return `where ① and ③ are passes of one loop, go over a copy, or take one item at a time off the original; else ${lock}`;
  if (COUNTS.test(sourceLine(read, remote) ?? remote.text))
    return `ask again after the last \`await\` before acting on the count, for ② counts on meanwhile; or ${lock}`;
  return `if the value of ① is as good at ③, read once and use that; else ${lock}`;
}

function shapeOf(pattern: Triple, cut: CutPointView, words: ShapeWords, read: SourceReader): ShapeText {
  const { it, local, remote, back } = words;
  const writes = back === null ? `two writes of ${local}` : `the writes of ${local} and ${back}`;
  switch (pattern) {
    case 'RWW':
      return readThenWrite(cut, words, read);
    case 'RWR':
      return {
        name: 'inconsistent read',
        sentence: back
          ? `${local} and ${back} read ${it}, and ${remote} changed it in between`
          : `${local} read ${it} twice and ${remote} changed it in between`,
        hint: readTwice(cut, read),
      };
    case 'WRW':
      return {
        name: 'dirty read',
        sentence: `${remote} read ${it} between ${writes}, a value nobody should see`,
        hint: `${isFile(cut.entity) ? 'write a temporary file, then rename it' : 'change it by one write, when all that goes with it is done'}, or make the reader take the lock that spans ① to ③`,
      };
    case 'WWR':
      if (ADDS.test(lineOf(cut.remote, read)))
        return {
          name: 'mixed with own write',
          sentence: `${local} changed ${it}, ${remote} changed it, too, and ${back ?? local} read it as if only ${local} had`,
          hint: OWN_COPY,
        };
      return {
        name: 'overwritten own write',
        sentence: back
          ? `${local} wrote ${it}, ${remote} wrote over it, and ${back} read it as what ${local} had written`
          : `${local} wrote ${it}, ${remote} wrote over it, and ${local} read it back as its own`,
        hint: OWN_COPY,
      };
    case 'WWW':
      return {
        name: 'interleaved writes',
        sentence: `${remote} wrote ${it} between ${writes}, so its write is lost or half-mixed`,
        hint: 'make the two writes one, or hold a lock from ① to ③ that the other writer takes too',
      };
    case 'RRW':
      return {
        name: 'check-then-act',
        sentence: `${remote} looked at ${it} while ${back ? `it was between the look of ${local} and the change of ${back}` : `${local} was between looking at it and changing it`}, and acted on the old answer`,
        hint: 'let whoever comes second wait for or join the work of the first (keep its promise), or hold a lock from ① to ③ that ② takes too',
      };
  }
}

/** Two accesses that came in the other order, in a sentence. `isTried`: the order in which only these two are turned back passes. */
function flipped(bug: ReportBug, isTried = false): string | null {
  const { against, entity, first, second } = bug;
  if (!entity || !first || !second) return null;
  if (bug.collision) return collided(bug.collision, describeEntity(entity), first, second);
  const [a, b] = first.task === second.task ? ['one ', 'another '] : ['', ''];
  const does = ({ task, access }: ReportAccess, which: string): string =>
    `${which}${code(task)} ${access === 'read' ? 'reads' : 'writes'}`;
  const it = describeEntity(entity);
  if (isWrittenOver(bug))
    return `${does(second, b)} ${it} over what ${a}${code(first.task)} has written, ${against === 'natural' && !isTried ? 'naturally before that' : 'and passes where it comes before that'}`;
  return `${does(first, a)} ${it} before ${does(second, b)} it, ${against === 'natural' && !isTried ? 'naturally after' : 'and passes where it comes after'}`;
}

/** Whoever began first is answered last, and has the last word. */
const isWrittenOver = ({ collision, first, second }: ReportBug): boolean =>
  !collision && first?.access === 'write' && second?.access === 'write' && isSamePlace(first, second);

const isSamePlace = (one: ReportAccess, other: ReportAccess): boolean =>
  one.file === other.file && one.line === other.line;

/** Two accesses that collided, in a sentence. */
const collided = (
  how: NonNullable<ReportBug['collision']>,
  it: string,
  first: ReportAccess,
  second: ReportAccess,
): string =>
  how === 'late'
    ? `${code(first.task)} changes ${it} as its time is over, and ${code(second.task)} changes it again as what it waited for comes late`
    : `${code(first.task)} ${first.access === 'read' ? 'ends' : 'changes'} ${it} before ${code(second.task)} goes on with it`;

const COLLISION_HINTS: Readonly<Record<NonNullable<ReportBug['collision']>, string>> = {
  cut: 'let ① wait for the operations that have begun (keep their promises), or let the operation look again before ②',
  late: 'let the one that comes first settle it, and the other look (a flag), or do it in one place behind both',
};

/** Where no access tells it: the two steps of the nearest passing order, as they come in the failing one. */
function turnedRound({ counterfactual: near }: ReportBug): string | null {
  if (!near) return null;
  const { anchor, now, step } = near;
  const [first, second] = now === 'after' ? [step, anchor] : [anchor, step];
  return `${code(first)} comes before ${code(second)}`;
}

/** Where no passing order is near: what moved, where that is one step. */
function onlyMoved({ failing, natural }: BugView): string | null {
  const [move, ...others] = findMoves(natural, failing);
  if (!move || others.length > 0) return null;
  const [moved, other] = apart(
    [move.step, move.anchor].map((row) => ({ text: `${row.task}: ${stepPhrase(row)}`, site: row.site })),
  );
  return `${code(moved!)} comes ${move.now} ${code(other!)}${move.isNew ? '; naturally it does not come' : ''}`;
}

/** Nobody holds a lock, and yet nothing goes on. */
function lostWakeUp(bug: ReportBug): ShapeText {
  const order = flipped(bug);
  const turned = turnedRound(bug);
  const why = order !== null ? `: ${order}` : turned !== null ? ` when ${turned}` : '';
  if (bug.wakeUp && (order === null || bug.wakeUp.when === 'early'))
    return {
      name: bug.wakeUp.when === 'early' ? 'missed wake-up' : 'deadlock',
      sentence: wakeUpSentence(bug.wakeUp),
      hint:
        bug.wakeUp.when === 'early'
          ? 'keep what has come (a state, a promise) and look at it before waiting, or begin to wait before it can come'
          : 'look for an event or a callback that is left out in this order, or that goes to somebody else',
    };
  return {
    name: 'deadlock',
    sentence: `the test waits for something that can never come${why}`,
    hint: 'look for an event or a callback that is left out in this order, or comes before anybody waits for it',
  };
}

/** The failing order is not there where its one recording was ended with the time for the test. */
const unexplained = (failing: BugView['failing']): string =>
  failing.length > 0 ? '' : '; there was no time left to record and explain it: allow more with `--max-time`';

function shapeWithoutPattern(view: BugView): ShapeText {
  const { bug, threads, failing } = view;
  const turned = turnedRound(bug) ?? (threads ? null : onlyMoved(view));
  switch (bug.kind) {
    case 'deadlock':
      if (isCircle(bug.waits)) return circle(bug.waits);
      return threads && bug.waits.length > 0 ? stuckThreads(bug.waits) : lostWakeUp(bug);
    case 'timeout':
      return {
        name: 'time-out',
        sentence: `the test runs into its own time limit ${turned === null ? 'in another order of answers' : `when ${turned}`}`,
        hint: 'look at what still waits at the end of the failing order',
      };
    default:
      if (threads)
        return {
          name: 'order bug',
          // Naturally a thread may not come to it at all.
          sentence:
            flipped(bug, bug.counterfactual !== null) ??
            'the test fails when its threads are switched in another order',
          hint: 'look at where the failing order leaves a thread: what it had begun is seen by the others',
        };
      return {
        name: 'order bug',
        sentence:
          flipped(bug) ??
          `the test fails when ${turned ?? `host answers come in another order${unexplained(failing)}`}`,
        hint: orderHint(bug),
      };
  }
}

function orderHint(bug: ReportBug): string {
  if (bug.collision) return COLLISION_HINTS[bug.collision];
  if (flipped(bug) === null)
    return `look at the first step that moved: what runs after it relies on the ${bug.against === 'natural' ? 'natural order' : 'order that passes'}`;
  if (isWrittenOver(bug))
    return 'before ②, look whether something later has begun by then (a number of the call, an `AbortSignal`), and leave what is there as it is; or let the one wait for the other';
  return 'let ① wait for ② (`await` what does it, or an event that tells of it) instead of relying on which comes first; if these two are bystanders, look at the first step that moved';
}

/** A test whose own fixed time is too short. */
function timingDependent({ test, timing, requiredPauseMs }: ReportBug): ShapeText {
  const name = 'timing-dependent test';
  const { timer, at, overtaken } = timing ?? {};
  const which = timer ? `${code(timer)}${at ? ` (${at.file}:${at.line})` : ''}` : 'a timer';
  const before = overtaken ? ` before \`${overtaken}\`` : '';
  if (timing?.rule === 'pause')
    return {
      name,
      sentence: `${which} goes off${before} when the process stands still for ${Math.ceil(requiredPauseMs)} ms between two statements`,
      hint: 'do not rely on two fixed times: use fake timers (`mock.timers` of node:test), or wait for a condition',
    };
  if (timing?.rule === 'given')
    return {
      name,
      sentence: `${which}, a time that the test gives, is over${before} when that takes as long`,
      hint: 'let the test give fake timers (`mock.timers` of node:test), or a time that no busy machine takes; users who give so short a time meet it, too',
    };
  if (timing?.rule === 'late')
    return {
      name,
      sentence: `the test passes only where its own ${which} is over${before}: it fails where that comes sooner`,
      hint: 'hold back what has to come later (a promise that the test settles, a fake), or wait for a condition, instead of a fixed time',
    };
  if (timing?.rule === 'expired')
    return {
      name,
      sentence: `${which}, a fixed time of the program, is over${before} when that takes as long; the program says so by an error, which the test does not expect`,
      hint: 'let the test give a longer time or fake timers (`mock.timers` of node:test), or expect the error',
    };
  if (timing?.rule === 'outlasted')
    return {
      name,
      sentence: `${which} is over${before} when that takes as long; naturally it never is`,
      hint: 'hold the slow side back until the test has looked, or give it fake timers (`mock.timers` of node:test): no accesses come in another order',
    };
  // A time-out of the code under test is no waiting of the test.
  if (at && !test.startsWith(`${at.file}:`) && !isOfTests(at.file))
    return {
      name,
      sentence: `${which}, a fixed time of the program, is over${before} when that takes as long, and the test does not expect that`,
      hint: 'let the test give a longer time or fake timers (`mock.timers` of node:test); users meet it where an answer takes as long',
    };
  return {
    name,
    sentence: `the test's own ${which} is over${before}${before ? ', which naturally comes first' : ''}`,
    hint: 'wait for what has to have happened (its promise, an event, a condition that is asked for until a generous limit) instead of a fixed time',
  };
}

const TWO = 'multi-variable atomicity violation';

/** Two variables that have to agree, of which each by itself shows nothing. */
function shapeOfTwo(cut: CutPointView, other: string, areThreads: boolean): ShapeText {
  const { local, remote } = actors(cut);
  const [one, two] = [cut.entity, other].map(describeEntity) as [string, string];
  const isReader = cut.pattern === 'RWR';
  return {
    name: TWO,
    sentence: isReader
      ? `${remote} changed ${one} and ${two} after ${local} had read the one and before it read the other`
      : `${remote} read ${one} and ${two} when ${local} had changed the one and not yet the other`,
    hint: areThreads
      ? `${one} and ${two} have to agree: ${HOLD}, or count the changes in an element of its own that who reads compares before and behind`
      : `${one} and ${two} have to agree: ${isReader ? 'read' : 'change'} both in one turn, with no \`await\` between, or hold a lock from ① to ③ that ② takes too`,
  };
}

/** Names the shape of a bug. */
export function describeShape(view: BugView, read: SourceReader): ShapeText {
  const { hint, name, sentence } = shapeIn(view, read);
  return { name, sentence: withHolders(sentence, read), hint: withHolders(hint, read) };
}

function shapeIn(view: BugView, read: SourceReader): ShapeText {
  if (view.bug.class === 'timing') return timingDependent(view.bug);
  const cut = view.cutPoint;
  // A deadlock is told by who waits for what, even when the order that led there came from a cut point.
  if (!cut || view.bug.kind === 'deadlock') return shapeWithoutPattern(view);
  if (cut.other) return shapeOfTwo(cut, cut.other.entity, view.threads === true);
  const isExistence = (cut.pattern === 'RWW' || cut.pattern === 'RRW') && !isRead(cut, cut.first, read);
  const it = isPathEntry(cut.entity) && !isExistence ? pathNoun(cut, read) : describeEntity(cut.entity);
  const who = actors(cut);
  const shape = shapeOfName(cut.pattern, cut, who, read) ?? shapeOf(cut.pattern, cut, { it, ...who }, read);
  if (!view.threads) return shape;
  return {
    ...shape,
    hint: isFile(cut.entity) ? fileHint(cut) : THREAD_HINT[cut.pattern],
  };
}

const HOLD = 'hold one lock from ① to ③ that ② takes, too';
const THREAD_HINT: Readonly<Record<Triple, string>> = {
  RWW: `${HOLD}, or let one operation of \`Atomics\` read and write (\`add\`, \`compareExchange\` in a loop)`,
  RWR: `read once into a local variable and use that, or ${HOLD}`,
  WRW: `build the new value aside and publish it by one write, or ${HOLD}`,
  WWR: `keep your own copy instead of reading the shared one back, or ${HOLD}`,
  WWW: `make the two writes one, or ${HOLD}`,
  RRW: HOLD,
};

const HOLD_FILE = 'hold a lock file from ① to ③ (one that is made with flag `wx`) that ② takes, too';

/** Files have no operation that reads and writes at once, but one that makes a name, and one that replaces what is behind it. */
function fileHint({ entity, pattern }: CutPointView): string {
  switch (pattern) {
    case 'RWW':
    case 'RRW':
      return isPathEntry(entity)
        ? `let one operation check and act at once (open with flag \`wx\`, \`mkdir\` and handle EEXIST), or ${HOLD_FILE}`
        : HOLD_FILE;
    case 'RWR':
      return `read the file once and use that, or ${HOLD_FILE}`;
    case 'WRW':
      return `write the new content under another name and rename it, or ${HOLD_FILE}`;
    case 'WWR':
      return `keep your own copy instead of reading the file back, or ${HOLD_FILE}`;
    case 'WWW':
      return `make the two writes one (under another name, then rename), or ${HOLD_FILE}`;
  }
}
