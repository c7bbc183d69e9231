/** `DataView` of a thread under control: every access of shared memory is a step. */
import { Op } from '../../data/threads/trace.ts';
import { replaceMethod } from '../replace.ts';
import { cellAround } from './cells.ts';
import type { Token } from './token.ts';
import type { Marked, Views } from './views.ts';

type DataViewMethod = (this: Marked & DataView, offset: number, ...rest: unknown[]) => unknown;

export function installDataView(token: Token, views: Views, pointHere: () => number): void {
  const prototype = DataView.prototype as unknown as Record<string, DataViewMethod>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (!/^[gs]et[A-Z]/.test(name)) continue;
    const original = prototype[name]!;
    const write = name.startsWith('set');
    const width = Number(/\d+$/.exec(name)) / 8;
    const wrapped: DataViewMethod = function (offset, ...rest) {
      const shared = token.quiet === 0 && ArrayBuffer.isView(this) ? views.of(this) : null;
      const at = Math.trunc(Number(offset));
      if (shared === null || !(at >= 0 && at < shared.length)) return original.call(this, offset, ...rest);
      const cell = cellAround(shared.address + at, width);
      token.step();
      token.log(write ? Op.Write : Op.Read, cell, pointHere());
      const result = original.call(this, offset, ...rest);
      if (write) token.wrote(cell);
      else token.looked(cell, result);
      return result;
    };
    replaceMethod(prototype, name, wrapped);
  }
}
