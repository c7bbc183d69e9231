/** Error messages that the engine words by the text of an expression, without our part of that text. */

const HOOK = /__cov\.\w+\(\.\.\.\)( is not a function or its return value)?/g;

/** `__cov.c(...).f is not a function` becomes `(intermediate value).f is not a function`. */
export function plainMessage(message: string): string {
  return message.replace(HOOK, '(intermediate value)');
}
