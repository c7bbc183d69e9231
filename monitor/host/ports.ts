/** Messages: between ports of this process, from workers, over broadcast channels. They all come through a port. */
import { originOf } from './arrival.ts';
import type { Context } from './context.ts';
import { HeldSource } from './held.ts';
import type { HostController } from './request.ts';

type Dispatch = (this: object, value: unknown, type: string, event: unknown) => unknown;

/** Wraps the one function through which Node hands every message to its port. */
export function wrapPorts(controller: HostController, capture: () => Context): void {
  const { prototype } = MessagePort as unknown as { prototype: Record<symbol, any> };
  const dispatch = symbolOf(EventTarget.prototype, 'kHybridDispatch');
  if (!dispatch) throw new Error(`Node ${process.version} hands out messages in another way`);
  const native = prototype[dispatch] as Dispatch;
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
      );
      return undefined;
    },
  });
}

function symbolOf(object: object, name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(object).find((s) => s.description?.endsWith(name));
}
