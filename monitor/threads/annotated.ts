/** Annotated operations of a thread under control: one step, the body without any, one event when it came to pass. */
import { Op } from '../../data/threads/trace.ts';
import { HOOKS, type SharedPlace, type ThreadHooks } from './annotate.ts';
import { cellOf } from './cells.ts';
import type { Token } from './token.ts';
import type { Marked, SharedView, Views } from './views.ts';

/** Operations whose body may answer `false`: it did not come to pass. */
const MAY_FAIL: ReadonlySet<Op> = new Set([Op.Acquire, Op.AcquireShared, Op.Receive, Op.Leave]);

/** Operations that others wait for: between threads that run freely they are logged before anybody can be woken. */
const AWAITED: ReadonlySet<Op> = new Set([Op.Release, Op.ReleaseShared, Op.Send, Op.Arrive]);

/** Makes the annotations of this thread take part; `pointHere` numbers the place of the program that calls. */
export function installAnnotations(token: Token, views: Views, pointHere: () => number): ThreadHooks {
  const hooks: ThreadHooks = {
    operation(op, place, body) {
      const shared = views.of(place as Marked);
      if (shared === null || token.quiet > 0) return body();
      token.step();
      const point = pointHere();
      // What counts is where the view begins, whatever it is a view of.
      const cell = cellOf(shared.address, 1);
      token.entered(op, cell, point);
      token.quiet += 1;
      const early = token.free && AWAITED.has(op);
      if (early) token.log(op, cell, point);
      let result: ReturnType<typeof body>;
      try {
        result = body();
      } finally {
        token.quiet -= 1;
        token.left();
      }
      if (!early) token.log(result === false && MAY_FAIL.has(op) ? Op.Read : op, cell, point);
      return result;
    },
    transaction(_name, body) {
      if (token.quiet > 0) return body();
      token.log(Op.Begin, -1, pointHere());
      try {
        return body();
      } finally {
        token.log(Op.End, -1, pointHere());
      }
    },
    name(view, name) {
      for (const shared of partsOf(view, views)) {
        shared.name = name;
        shared.named = true;
      }
    },
  };
  (globalThis as { [HOOKS]?: ThreadHooks })[HOOKS] = hooks;
  return hooks;
}

function partsOf(view: SharedPlace | SharedArrayBuffer, views: Views): SharedView[] {
  const shared = views.of((ArrayBuffer.isView(view) ? view : new Uint8Array(view)) as Marked);
  return shared === null ? [] : [shared];
}
