/** Annotations of GitHub Actions: commands in the log, of which a step has ten of a kind. */
import { adviceText } from '../advice.ts';
import type { ToldFinding } from '../finding.ts';
import type { FindingList } from '../lists.ts';

const CAP = 10;
const KINDS = { race: 'error', timing: 'warning', conditional: 'notice' } as const;

/** A line break would end the command, and a percent sign begins what stands for one. */
const data = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const property = (text: string): string => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

function command(kind: string, properties: Readonly<Record<string, string | number>>, text: string): string {
  const told = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${kind} ${told.join(',')}::${data(text)}`;
}

function annotation(
  { bug, list, name, sentence, advice, place, test, counts }: ToldFinding,
  fileOf: (file: string) => string,
): string {
  const at: Record<string, string | number> = place
    ? { file: fileOf(place.file), line: place.line, col: place.column }
    : test
      ? { file: fileOf(test.file) }
      : {};
  const fix = advice === null ? '' : `\n${adviceText(advice)}`;
  return command(counts ? 'error' : KINDS[list], { title: name, ...at }, `${sentence}${fix}\n${bug.replay}`);
}

/** A line for each finding that is not hidden, within the caps; the last one of a kind says what was left out. */
export function annotations(findings: readonly ToldFinding[], fileOf: (file: string) => string): string[] {
  const shown = findings.filter(({ hidden }) => hidden === null);
  const kindOf = ({ counts, list }: { counts: boolean; list: FindingList }) =>
    counts ? 'error' : KINDS[list];
  return [...Map.groupBy(shown, kindOf)].flatMap(([kind, of]) => {
    const told = of.length <= CAP ? of : of.slice(0, CAP - 1);
    const left = of.length - told.length;
    const rest = `and ${left} more: see the summary of the job`;
    return [
      ...told.map((finding) => annotation(finding, fileOf)),
      ...(left > 0 ? [command(kind, { title: 'unweave' }, rest)] : []),
    ];
  });
}
