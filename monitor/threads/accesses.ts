/** What instrumented code calls at an element access, once it knows that the array may be shared memory. */
import { isSharedArrayBuffer } from 'node:util/types';
import type { Token } from './token.ts';
import { MARK, type Marked, type Views } from './views.ts';

type Elements = Marked & Record<number, unknown>;

/** The hooks, under the names that instrumented text uses. `point`: number of the program point. */
export interface AccessHooks {
  /** Before `view[key]` is read. */
  sr(point: number, view: Elements, key: unknown): void;
  /** Before `view[key] = …` stores. */
  sw(point: number, view: Elements, key: unknown): void;
  /** Before `view[key]++`: the two accesses that it consists of. */
  su(point: number, view: Elements, key: unknown): void;
  /** A view that was made just now; returns it. */
  own<T extends Marked>(view: T): T;
}

export function accessHooks(
  token: Token,
  views: Views,
  nameOf: (point: number) => string | null,
): AccessHooks {
  /** A view that was not met before, or a key that is no index of it. */
  const cellAt = (view: Elements, key: unknown): number => {
    const shared = views.of(view);
    if (shared === null || token.quiet > 0) return -1;
    const index = typeof key === 'number' ? key : typeof key === 'string' ? Number(key) : -1;
    if (!(index >= 0 && index < shared.length && Number.isInteger(index))) return -1;
    return shared.cell + index * shared.stride;
  };
  const named = (view: Elements, point: number): void => {
    const shared = views.of(view);
    if (shared !== null) shared.name ??= nameOf(point);
  };
  /** The cell of the element; -1 where this is no access of shared memory. */
  const locate = (point: number, view: Elements, key: unknown): number => {
    const shared = view[MARK];
    if (shared && typeof key === 'number' && key >>> 0 === key && key < shared.length && token.quiet === 0) {
      if (shared.name === null) named(view, point);
      return shared.cell + key * shared.stride;
    }
    const cell = cellAt(view, key);
    if (cell >= 0) named(view, point);
    return cell;
  };
  return {
    sr(point, view, key) {
      const cell = locate(point, view, key);
      if (cell < 0) return;
      if (token.read(cell, point)) token.looked(cell, view[key as number]);
    },
    sw(point, view, key) {
      const cell = locate(point, view, key);
      if (cell >= 0) token.write(cell, point);
    },
    su(point, view, key) {
      const cell = locate(point, view, key);
      if (cell < 0) return;
      token.read(cell, point);
      const before = view[key as number];
      token.write(cell, point);
      // What `++` is about to add to, whoever wrote in between; nobody sees this: it follows without a step.
      view[key as number] = before;
    },
    own(view) {
      // Shared memory gets its place when it is used: nobody else looks for one then.
      if (!isSharedArrayBuffer(view.buffer)) views.of(view);
      return view;
    },
  };
}
