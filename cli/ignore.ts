/** `unweave: ignore`: a comment at an access, or on a line of its own above it, hides the bugs of that access. */
import type { Report, ReportBug } from '../data/report.ts';
import type { Hidden, HiddenReason } from '../report/hidden.ts';
import type { SourceReader } from '../report/sources.ts';

const IGNORE = /(?:\/\/|\/\*)\s*unweave:\s*ignore\b/;
const OWN_LINE = /^\s*(?:\/\/|\/\*)/;

/** True when the comment stands at this line. A comment after code belongs to that code alone. */
export function isIgnored(read: SourceReader, file: string, line: number): boolean {
  const lines = read(file)?.split('\n');
  if (!lines) return false;
  const above = lines[line - 2] ?? '';
  return IGNORE.test(lines[line - 1] ?? '') || (OWN_LINE.test(above) && IGNORE.test(above));
}

function ignores(bug: ReportBug, read: SourceReader, listed: ReadonlySet<string>): boolean {
  if (listed.has(bug.id) || (bug.entity !== null && listed.has(bug.entity))) return true;
  return [bug.first, bug.remote, bug.second].some((at) => at !== null && isIgnored(read, at.file, at.line));
}

/** What is hidden, and why. `listed`: bug ids or entities of the configuration's `ignore`. */
export function hideBugs(
  report: Report,
  known: ReadonlySet<string>,
  listed: readonly string[],
  read: SourceReader,
): Hidden {
  const list = new Set(listed);
  return new Map(
    report.bugs.flatMap((bug): [string, HiddenReason][] => {
      if (ignores(bug, read, list)) return [[bug.id, 'ignored']];
      return known.has(bug.id) ? [[bug.id, 'known']] : [];
    }),
  );
}
