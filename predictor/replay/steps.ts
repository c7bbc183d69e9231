/** The steps that a program could take, numbered. */
import { DELIVER, EFFECT, END, type NumberedSteps } from '../../data/feasibility/sketch/steps.ts';
import { spell } from '../../data/schedule-step.ts';
import type { Program } from '../program.ts';

/** Rank of a step that did not occur in the observed order. */
export const NEVER = 1 << 30;

export interface Steps extends NumberedSteps {
  /** By step: its position in the observed order. */
  readonly rank: Int32Array;
  readonly names: readonly string[];
}

const OPS = ['effect', 'release', 'deliver'] as const;
const known = new WeakMap<Program, Steps>();

/** The effects of a request come first, then its end, then its delivery. */
export function stepsOf(program: Program): Steps {
  let steps = known.get(program);
  if (!steps) known.set(program, (steps = number(program)));
  return steps;
}

function number({ requests, observed }: Program): Steps {
  const count = requests.reduce((sum, r) => sum + r.effects.length + 2, 0);
  const first = new Int32Array(requests.length);
  const request = new Int32Array(count);
  const kind = new Uint8Array(count);
  const rank = new Int32Array(count).fill(NEVER);
  const names: string[] = [];
  let at = 0;
  for (const { id, name, effects } of requests) {
    first[id] = at;
    for (let nth = 0; nth < effects.length + 2; nth++, at++) {
      const is = nth < effects.length ? EFFECT : nth === effects.length ? END : DELIVER;
      request[at] = id;
      kind[at] = is;
      // Effects are the only steps of a request that may come more than once.
      const step = spell(OPS[is], name);
      names[at] = step;
      rank[at] = observed.get(step)?.[is === EFFECT ? nth : 0] ?? NEVER;
    }
  }
  return { count, first, request, kind, rank, names };
}
