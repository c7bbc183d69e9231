/** What a script that speaks TAP (tape, node-tap) says of its first failing assertion. */

const NOT_OK = /^(\s*)not ok\b\s*\d*\s*(?:- )?(.*)$/;
const TITLE = /^#\s+(?!tests\b|pass\b|fail\b|Subtest\b)(.+)$/;
const DETAIL = /^\s*(?:expected|actual|error|message):\s*\S/;
/** A failure that is expected counts for nothing. */
const EXCUSED = /#\s*(?:todo|skip)\b/i;

/** One line: the assertion that failed, the test it is of, what was expected; null where nothing of TAP failed. */
export function tapFailure(output: string): string | null {
  const lines = output.split('\n');
  const at = lines.findIndex((line) => NOT_OK.test(line) && !EXCUSED.test(line));
  if (at < 0) return null;
  const [, , assertion = ''] = NOT_OK.exec(lines[at]!)!;
  const title = lines
    .slice(0, at)
    .reverse()
    .map((line) => TITLE.exec(line)?.[1])
    .find(Boolean);
  const block = lines.slice(at + 1);
  const end = block.findIndex((line) => /^\s*\.\.\.\s*$/.test(line) || /^\s*(?:not )?ok\b/.test(line));
  const details = block
    .slice(0, end < 0 ? 0 : end)
    .filter((line) => DETAIL.test(line))
    .map((line) => line.trim());
  const named = assertion.replace(/\s+#\s.*$/, '').trim();
  const of = title ? `, in '${title.trim()}'` : '';
  return `not ok: ${named}${of}${details.length > 0 ? ` (${details.join(', ').replace(/\s+/g, ' ')})` : ''}`;
}
