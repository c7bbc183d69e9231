/** SARIF 2.1.0, for code scanning: a result for each finding, whose code flow has a thread flow for each task. */
import type { CodeFlow, Location, Log, ReportingDescriptor, Result, ThreadFlowLocation } from 'sarif';
import { adviceText } from '../advice.ts';
import type { ToldFinding } from '../finding.ts';
import { LIST_TITLES } from '../lists.ts';
import { findMoves } from '../moves.ts';
import { stepPhrase, verb } from '../phrase.ts';
import type { Place, StepRow } from '../view.ts';

/** How files are named, and which version of the tool writes. */
export interface SarifOptions {
  readonly fileOf: (file: string) => string;
  readonly version: string;
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const LEVELS = { race: 'error', timing: 'warning', conditional: 'note' } as const;

const ruleOf = (name: string): string => name.replace(/[^a-z]+/gi, '-').toLowerCase();

/** Messages may hold links and placeholders, which the text of a program under test must not make. */
const message = (text: string): { text: string } => ({
  text: text.replaceAll('](', '] (').replace(/[{}]/g, '$&$&'),
});

const uriOf = (file: string): string =>
  file.startsWith('/')
    ? `file://${file.split('/').map(encodeURIComponent).join('/')}`
    : file.split('/').map(encodeURIComponent).join('/');

function locationOf(place: Place, text: string, { fileOf }: SarifOptions): Location {
  const { file, line, column } = place;
  return { ...fileLocation(fileOf(file), { startLine: line, startColumn: column }), message: message(text) };
}

function fileLocation(file: string, region?: { startLine: number; startColumn: number }): Location {
  const root = file.startsWith('/') ? {} : { uriBaseId: '%SRCROOT%' };
  return {
    physicalLocation: { artifactLocation: { uri: uriOf(file), ...root }, ...(region ? { region } : {}) },
  };
}

/** The failing order, a flow for each task; empty where nothing of it is known. */
function flowsOf({ view, accesses }: ToldFinding, options: SarifOptions): CodeFlow[] {
  const rows: readonly StepRow[] = view?.failing ?? [];
  const moved = new Set(view ? findMoves(view.natural, rows).map(({ step }) => step) : []);
  const marks = new Map(accesses.map(({ role, mark }) => [role, mark]));
  const steps = rows.map((row) => ({
    task: row.task,
    site: row.site,
    text: `${row.role ? `${marks.get(row.role) ?? ''} ` : ''}${stepPhrase(row)}`,
    matters: row.role !== undefined || moved.has(row),
  }));
  const told =
    steps.length > 0
      ? steps
      : accesses.map(({ access, mark, ...site }) => ({
          task: access.task,
          site,
          text: `${mark} ${verb(access.access)}`,
          matters: true,
        }));
  if (told.length === 0) return [];
  const tasks = Map.groupBy(
    told.map((step, at) => ({ ...step, order: at + 1 })),
    ({ task }) => task,
  );
  const threadFlows = [...tasks].map(([id, of]) => ({
    id,
    locations: of.map(
      ({ site, text, order, matters }): ThreadFlowLocation => ({
        executionOrder: order,
        importance: matters ? 'essential' : 'unimportant',
        location: site ? locationOf(site, text, options) : { message: message(text) },
      }),
    ),
  }));
  return [{ message: message('the failing order'), threadFlows }];
}

function resultOf(finding: ToldFinding, rules: ReadonlyMap<string, number>, options: SarifOptions): Result {
  const { bug, list, name, sentence, advice, accesses, steps, place, test, hidden } = finding;
  const fix = advice === null ? '' : ` ${adviceText(advice)}.`;
  const conditional = bug.conditional === null ? '' : ` Rests on an assumption: ${bug.conditional}.`;
  const main = place
    ? [locationOf(place, name, options)]
    : test
      ? [fileLocation(options.fileOf(test.file))]
      : [];
  const flows = flowsOf(finding, options);
  const told = accesses.map(({ mark, access, ...at }) => ({
    ...at,
    text: `${mark} ${access.task} ${verb(access.access)}`,
  }));
  const related = [...told, ...steps];
  const ruleId = ruleOf(name);
  return {
    ruleId,
    ruleIndex: rules.get(ruleId)!,
    level: LEVELS[list],
    message: message(`${name}: ${sentence}.${fix}${conditional} Shown again by: ${bug.replay}`),
    locations: main,
    ...(related.length > 0
      ? {
          relatedLocations: related.map(({ text, ...at }, id) => ({ id, ...locationOf(at, text, options) })),
        }
      : {}),
    ...(flows.length > 0 ? { codeFlows: flows } : {}),
    partialFingerprints: { 'unweaveBug/v1': bug.id },
    ...(hidden === null ? {} : { suppressions: [{ kind: 'external', justification: hidden }] }),
    properties: {
      list: LIST_TITLES[list],
      test: finding.testTitle,
      reproduced: bug.reproduced,
      control: bug.control,
    },
  };
}

/** All findings as one run. */
export function sarifLog(findings: readonly ToldFinding[], options: SarifOptions): Log {
  const rules = new Map<string, ReportingDescriptor>();
  for (const { name } of findings)
    rules.set(ruleOf(name), { id: ruleOf(name), name, shortDescription: message(name) });
  const index = new Map([...rules.keys()].map((id, at) => [id, at]));
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'unweave', version: options.version, rules: [...rules.values()] } },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, index, options)),
      },
    ],
  };
}
