/** Messages of errors that quote the program, without our part of its text. */
import { types } from 'node:util';
import { assertedAt, quotedAt } from './quotes.ts';
import { originalQuote } from './to-string.ts';

/** Node's own. */
const formatter = Error.prepareStackTrace;

const HOOK = /__cov\.\w+\(\.\.\.\)( is not a function or its return value)?/g;

/**
 * `__cov.c(...).f is not a function` becomes `(intermediate value).f is not a function`, and the expression
 * that `assert.ok` quotes becomes what the user wrote.
 */
export function plainMessage(message: string): string {
  if (!message.includes('__cov')) return message;
  return message.split('\n').map(originalQuote).join('\n').replace(HOOK, '(intermediate value)');
}

/** Gives an error of the engine the message that it has in a program that nobody watches; returns what it was given. */
export function ce<T>(thrown: T): T {
  if (!types.isNativeError(thrown)) return thrown;
  const message: unknown = Object.getOwnPropertyDescriptor(thrown, 'message')?.value;
  if (typeof message !== 'string') return thrown;
  // Made from the text of the call, which may show our part of it or be cut short by that.
  const isGenerated = (thrown as { generatedMessage?: unknown }).generatedMessage === true;
  if (!isGenerated && !message.includes('__cov')) return thrown;
  // A formatter of the user's would run.
  if (Error.prepareStackTrace !== formatter) return thrown;
  const { stack } = thrown;
  const said = isGenerated ? assertedAt(message, stack ?? '') : quotedAt(message, stack ?? '');
  const plain = said ?? plainMessage(message);
  if (plain === message) return thrown;
  thrown.message = plain;
  if (stack?.includes(message)) thrown.stack = stack.replace(message, () => plain);
  return thrown;
}
