/**
 * Messages: between ports of this process, from workers, over broadcast channels. They all come through a port. What
 * this thread sends to itself the kernel has at once, so that the next poll phase brings it (C9): it is waited for, so
 * that it is held before anything else happens. What a worker sends meanwhile is taken for the same.
 */
import { originOf } from './arrival.ts';
import type { Context } from './context.ts';
import { replaceFunction } from './fs-host.ts';
import { HeldSource } from './held.ts';
import type { Call } from './net/binding.ts';
import type { HostController } from './request.ts';

/** Behind so many check phases all that a turn sent has come: one poll phase at least has begun since. */
const ROUNDS = 2;

type Dispatch = (this: object, value: unknown, type: string, event: unknown) => unknown;

/**
 * Wraps the one function through which Node hands every message to its port, and what sends. `later` calls in another
 * round of the loop, as if the run were not there.
 */
export function wrapPorts(
  controller: HostController,
  capture: () => Context,
  later: (fn: () => void) => void,
): void {
  const { prototype } = MessagePort as unknown as { prototype: Record<symbol, any> };
  const dispatch = symbolOf(EventTarget.prototype, 'kHybridDispatch');
  if (!dispatch) throw new Error(`Node ${process.version} hands out messages in another way`);
  const native = prototype[dispatch] as Dispatch;
  /** How often something was sent within the last rounds. */
  let sent = 0;
  const sources = new WeakMap<object, { readonly root: object; readonly source: HeldSource }>();

  function sourceOf(port: object): HeldSource {
    const known = sources.get(port);
    if (known?.root === controller.root) return known.source;
    const origin = originOf(controller, 'MessagePort');
    const source = new HeldSource(controller, 'MessagePort', '', origin, capture());
    sources.set(port, { root: controller.root, source });
    return source;
  }

  Object.defineProperty(prototype, dispatch, {
    configurable: true,
    writable: true,
    value(this: Record<symbol, unknown>, value: unknown, type: string, event: unknown): unknown {
      // The end of a worker is not held, so what it says before must not be held either.
      if (!controller.active('MessagePort') || controller.running || controller.doubts('Worker'))
        return native.call(this, value, type, event);
      // Ports that came with the message: Node keeps them on the port while it hands the message out.
      const receiving = symbolOf(this, 'kCurrentlyReceivingPorts');
      const ports = receiving && this[receiving];
      sourceOf(this).come(
        () => {
          if (receiving) this[receiving] = ports;
          try {
            native.call(this, value, type, event);
          } finally {
            if (receiving) this[receiving] = undefined;
          }
        },
        type === 'close' ? 'close' : 'external',
        { wakes: true, prompt: sent > 0 },
      );
      return undefined;
    },
  });

  for (const { prototype } of [MessagePort, BroadcastChannel]) {
    const sender = prototype as unknown as { postMessage: Call };
    const native = sender.postMessage;
    replaceFunction(sender, 'postMessage', function (this: unknown, ...args: unknown[]) {
      if (controller.active('MessagePort')) awaitSent();
      return native.apply(this, args);
    });
  }

  function awaitSent(): void {
    const came = controller.expect();
    sent += 1;
    const round = (left: number): void => {
      if (left > 0) {
        later(() => round(left - 1));
        return;
      }
      sent -= 1;
      came();
    };
    round(ROUNDS);
  }
}

function symbolOf(object: object, name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(object).find((s) => s.description?.endsWith(name));
}
