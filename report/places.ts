/** Where to look: the places that tell a finding. */
import type { ReportAccess, ReportBug } from '../data/report.ts';
import { MARKS } from './ink.ts';
import { isCircle } from './lock-waits.ts';
import { findMoves } from './moves.ts';
import { pairOf } from './pair.ts';
import { parsePlace, place, stepPhrase } from './phrase.ts';
import type { BugView, Place, Role } from './view.ts';

export interface MarkedPlace extends Place {
  /** `①`. */
  readonly mark: string;
  readonly role: Role;
  readonly access: ReportAccess;
}

export interface ToldStep extends Place {
  /** `alice: fs.readFile a.json answers`. */
  readonly text: string;
}

/** Which of an order bug's two accesses is which is not known by role: they are ① and ②. */
export function accessesOf({ first, remote, second }: ReportBug): MarkedPlace[] {
  const roles: readonly (readonly [Role, ReportAccess | null])[] = [
    ['first', first],
    ['remote', remote],
    ['second', second],
  ];
  const known = roles.flatMap(([role, access]) => (access ? [{ role, access }] : []));
  return known.map(({ role, access }, at) => {
    const { file, line, column } = access;
    return { mark: Object.values(MARKS)[at]!, role, access, file, line, column };
  });
}

/** Who waits, where the line says at which place. */
function placed(line: string): ToldStep[] {
  const [, text = '', where = ''] = /^(.*) \(([^()]+)\)$/.exec(line) ?? [];
  const at = parsePlace(where);
  return at ? [{ ...at, text }] : [];
}

/** Where no access tells it: the two steps whose order matters, as far as their places are known. */
export function stepsOf(view: BugView): ToldStep[] {
  if (isCircle(view.bug.waits)) return view.bug.waits.flatMap(placed);
  const pair = [...pairOf(view, findMoves(view.natural, view.failing))];
  const told = pair.flatMap((row) =>
    row.site ? [{ ...row.site, text: `${row.task}: ${stepPhrase(row)}` }] : [],
  );
  return [...new Map(told.map((step) => [`${place(step)} ${step.text}`, step])).values()];
}
