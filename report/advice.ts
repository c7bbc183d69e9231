/** What to do about a finding, and how much is known of whether it helps. */
import { code } from './entity.ts';
import { shortList } from './layout.ts';
import { isCircle } from './lock-waits.ts';
import type { BugView } from './view.ts';

export interface Advice {
  /** `Fix` only where failing orders pass with it. */
  readonly label: 'Fix' | 'Where to look' | 'Advice, not tried' | 'Helps in part' | 'In general';
  readonly text: string;
}

/** Where to look is no advice. */
const LOOKS = /^look (?=at |for )/;

/** More packages are not named in one sentence. */
const MOST_PACKAGES = 3;

/** What nobody looked into may be where the cause is. */
function unseen(packages: readonly string[]): string {
  if (packages.length === 0) return '';
  const few = packages.slice(0, MOST_PACKAGES);
  const were = packages.length === 1 ? 'was' : 'were';
  return `; ${shortList(packages)} ${were} not looked into: ${code(`--instrument ${few.join(',')}`)} shows more`;
}

/** Advice that no failing order bears out is none; one that was not tried, or does not always help, is told as what it is. */
export function adviceOf(view: BugView, hint: string): Advice {
  const { label, text } = ofHint(view, hint);
  const isOpen = label !== 'Fix' && view.bug.class !== 'timing' && !isCircle(view.bug.waits);
  return { label, text: isOpen ? text + unseen(view.bug.packages) : text };
}

function ofHint({ bug: { fix, class: of } }: BugView, hint: string): Advice {
  if (LOOKS.test(hint)) return { label: 'Where to look', text: hint.replace(LOOKS, '') };
  // What is said of the test's own times was not tried on any order.
  if (of === 'timing') return { label: 'In general', text: hint };
  const [ok, tried] = fix?.split('/').map(Number) ?? [];
  if (ok === undefined) return { label: 'Advice, not tried', text: hint };
  if (ok === 0)
    return {
      label: 'Where to look',
      text: 'at the first step that moved: keeping the accesses above together mends nothing by itself',
    };
  return { label: ok === tried ? 'Fix' : 'Helps in part', text: hint };
}

/** Under a heading that asks what to fix. */
export function adviceLine({ label, text }: Advice): string {
  switch (label) {
    case 'Where to look':
      return `look ${text}`;
    case 'Advice, not tried':
      return `in general, not tried on this order: ${text}`;
    case 'Helps in part':
      return `in general: ${text}`;
    default:
      return text;
  }
}

/** By itself; null: nothing is known. */
export const adviceText = (advice: Advice | null): string =>
  advice === null ? '' : `${advice.label}: ${advice.text}`;
