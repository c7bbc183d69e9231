/** Keys that only Node's own code has. */

/** The symbol of an object by what describes it; undefined where this Node has none. */
export const symbolOf = (object: object, description: string): symbol | undefined =>
  Object.getOwnPropertySymbols(object).find((symbol) => symbol.description === description);

/** What an object keeps under such a symbol. */
export function valueUnder(object: object, description: string): unknown {
  const symbol = symbolOf(object, description);
  return symbol && Reflect.get(object, symbol);
}

/** How Node hands everything to the listeners of a port. */
export const DISPATCH = symbolOf(EventTarget.prototype, 'nodejs.internal.kHybridDispatch');
export type Dispatch = (this: object, value: unknown, type: string, event: unknown) => unknown;

/** Where a port has the ports that come with a message, while Node hands the message out. */
export const RECEIVING = 'nodejs.internal.kCurrentlyReceivingPorts';
