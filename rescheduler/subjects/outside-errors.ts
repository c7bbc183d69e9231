/** What a runner says, at the end of its output, of errors that belong to none of its tests. */
import { stripVTControlCharacters } from 'node:util';

/** As Vitest says it, of a file whose environment cannot be set up, too: its tests are not even listed. */
const CAUGHT = /^\W*(Vitest caught \d+ unhandled errors? during the test run)\b/m;
const FIRST = /^\W*Unhandled (?:Error|Rejection)\b.*\n\s*(\S.*)/m;

/** With the first of these errors; null where nothing is said. */
export function errorsOutside(output: string): string | null {
  const text = stripVTControlCharacters(output);
  const said = CAUGHT.exec(text)?.[1];
  if (said === undefined) return null;
  const first = FIRST.exec(text)?.[1];
  return first === undefined ? said : `${said}: ${first.trim()}`;
}
