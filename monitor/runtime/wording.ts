/** Messages of errors that quote the program, without our part of its text. */
import { types } from 'node:util';
import { quotedAt } from './quotes.ts';
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
  if (typeof message !== 'string' || !message.includes('__cov')) return thrown;
  // A formatter of the user's would run.
  if (Error.prepareStackTrace !== formatter) return thrown;
  const { stack } = thrown;
  const plain = quotedAt(message, stack ?? '') ?? plainMessage(message);
  thrown.message = plain;
  if (stack?.includes(message)) thrown.stack = stack.replace(message, () => plain);
  return thrown;
}
