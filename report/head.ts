/** The head of a finding: what a reader needs in ten seconds. All that bears it out comes below. */
import type { ReportAccess, ReportBug } from '../data/report.ts';
import { adviceOf, adviceText } from './advice.ts';
import { hang } from './layout.ts';
import { isCircle } from './lock-waits.ts';
import { place, verb } from './phrase.ts';
import { accessesOf, stepsOf } from './places.ts';
import type { BugView, ShapeText } from './view.ts';

/** Whether the accesses shown are the defect: does the test pass when nothing comes between them? */
export function fixCheck({ fix, first, second }: ReportBug): string {
  if (!fix || !first || !second) return '';
  const [ok, of] = fix.split('/').map(Number) as [number, number];
  const orders = of === 1 ? 'the failing order passes' : `all ${of} failing orders found pass`;
  if (ok === of) return `checked: with ① to ③ kept whole, ${orders}`;
  return `with ① to ③ kept whole, ${of - ok} of ${of} failing orders still fail: more than this is broken, or these accesses are bystanders`;
}

/** What the two accesses of one thread are parts of. */
export function together({ cutPoint, threads }: BugView): string {
  const within = threads ? cutPoint?.transaction : undefined;
  return within?.startsWith('one ') ? `① and ③ belong to ${within}` : '';
}

/** Helpers hide what their callers mean: an access is told with the nearest call of another file. */
function callOf({ file, calledFrom }: ReportAccess): string {
  const call = calledFrom.find((from) => from.file !== file);
  return call ? ` (called from ${place(call)})` : '';
}

/** The sentence, the places, and what to do, as lines of so many characters. */
export function headLines(view: BugView, { hint, name, sentence }: ShapeText, width: number): HeadLines {
  const { bug } = view;
  const accesses = accessesOf(bug).map(({ access, mark, role }) => {
    const also = role === 'remote' && bug.other ? ` and at ${place(bug.other.remote)}` : '';
    const text = `${access.task} ${verb(access.access)} at ${place(access)}${also}${callOf(access)}`;
    return hang(`${mark} `, text, width);
  });
  const steps = accesses.length > 0 || isCircle(bug.waits) ? [] : stepsOf(view);
  const told = steps.map((step) => {
    const isTold = step.file === '' || step.text.includes(`${step.file}:${step.line}`);
    const at = isTold ? '' : ` at ${place(step)}`;
    return hang('· ', `${step.text}${at}`, width);
  });
  const circle = isCircle(bug.waits) ? bug.waits.map((line) => hang('· ', line, width)) : [];
  const check = [together(view), fixCheck(bug)].filter((text) => text !== '').join('; ');
  return {
    headline: hang('  ', `${name}: ${sentence}`, width + 2),
    places: [...accesses, ...told, ...circle].flat(),
    fix: [
      ...hang('', adviceText(adviceOf(view, hint)), width),
      ...(check === '' ? [] : hang('', check, width)),
    ],
  };
}

interface HeadLines {
  readonly headline: readonly string[];
  readonly places: readonly string[];
  readonly fix: readonly string[];
}
