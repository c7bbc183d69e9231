/** What instrumented code calls at an element access, once it knows that the array may be shared memory. */
import { Op } from '../../data/threads/trace.ts';
import type { Token } from './token.ts';
import type { Marked, Views } from './views.ts';

type Elements = Marked & Record<number, unknown>;

/** The hooks, under the names that instrumented text uses. `point`: number of the program point. */
export interface AccessHooks {
  /** Before `view[key]` is read. */
  sr(point: number, view: Elements, key: unknown): void;
  /** Before `view[key] = …` stores. */
  sw(point: number, view: Elements, key: unknown): void;
  /** Before `view[key]++`: the two accesses that it consists of. */
  su(point: number, view: Elements, key: unknown): void;
}

export function accessHooks(
  token: Token,
  views: Views,
  nameOf: (point: number) => string | null,
): AccessHooks {
  /** Address of the element; -1 where this is no access of shared memory. */
  const addressOf = (point: number, view: Elements, key: unknown): number => {
    const shared = views.of(view);
    if (shared === null || token.quiet > 0) return -1;
    const index = typeof key === 'number' ? key : typeof key === 'string' ? Number(key) : -1;
    if (!(index >= 0 && index < shared.length && Number.isInteger(index))) return -1;
    shared.name ??= nameOf(point);
    return shared.address + index * shared.width;
  };
  return {
    sr(point, view, key) {
      const address = addressOf(point, view, key);
      if (address < 0) return;
      token.step();
      token.log(Op.Read, address, point);
      token.looked(address, view[key as number]);
    },
    sw(point, view, key) {
      const address = addressOf(point, view, key);
      if (address < 0) return;
      token.step();
      token.log(Op.Write, address, point);
      token.wrote(address);
    },
    su(point, view, key) {
      const address = addressOf(point, view, key);
      if (address < 0) return;
      token.step();
      token.log(Op.Read, address, point);
      const before = view[key as number];
      token.step();
      token.log(Op.Write, address, point);
      token.wrote(address);
      // What `++` is about to add to, whoever wrote in between; nobody sees this: it follows without a step.
      view[key as number] = before;
    },
  };
}
