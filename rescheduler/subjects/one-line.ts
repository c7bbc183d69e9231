/** What is wrong with a user's file, for people. */
import { failureOf } from '../failure.ts';

/** `file: what went wrong`, with the line where that is known. */
export function oneLine(file: string, error: unknown, what?: string): string {
  const failure = failureOf(error);
  const message = failure.message.split('\n')[0] ?? '';
  const name = failure.name === 'Error' || failure.name === 'SubjectError' ? '' : `${failure.name}: `;
  return `${file}: ${what ? `${what}: ` : ''}${name}${message}`.replaceAll(`${file}: ${file}`, file);
}
