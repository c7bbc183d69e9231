/** Messages of errors that quote the program, without our part of its text. */
import { originalQuote } from './to-string.ts';

const HOOK = /__cov\.\w+\(\.\.\.\)( is not a function or its return value)?/g;

/**
 * `__cov.c(...).f is not a function` becomes `(intermediate value).f is not a function`, and the expression
 * that `assert.ok` quotes becomes what the user wrote.
 */
export function plainMessage(message: string): string {
  if (!message.includes('__cov')) return message;
  return message.split('\n').map(originalQuote).join('\n').replace(HOOK, '(intermediate value)');
}
