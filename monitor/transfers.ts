// The original: the program may put another class in its place.
const { MessagePort } = globalThis;

/**
 * The ports that the second argument of `postMessage` hands over, a list of all that is transferred or options with one.
 * They cross with a message whether its value holds them or not.
 */
export function portsTransferred(how: unknown): object[] {
  const list = Array.isArray(how) ? how : (how as { transfer?: unknown } | undefined)?.transfer;
  return Array.isArray(list) ? list.filter((each) => each instanceof MessagePort) : [];
}
