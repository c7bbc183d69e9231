/** Stacks of errors are written by Jest, which reads maps of sources for it: the program does nothing there. */
import { natively } from '../../gate/session.ts';

type PrepareStackTrace = NonNullable<ErrorConstructor['prepareStackTrace']>;

let ours: PrepareStackTrace | null = null;

/** Called when Jest has put its own formatter in place. */
export function formatOutside(): void {
  const { prepareStackTrace: format } = Error;
  if (!format || format === ours) return;
  ours = (error, frames) => natively(() => format(error, frames) as unknown);
  Error.prepareStackTrace = ours;
}
