/** Builds the versioned JSON report from what the store holds, and writes it. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolders } from '../data/make-folders.ts';
import type { AccessPoint, CutPoint } from '../data/prediction.ts';
import {
  REPORT_VERSION,
  type Report,
  type ReportAccess,
  type ReportBug,
  ReportError,
  type ReportTest,
  type ReportVariant,
  reportSchema,
} from '../data/report.ts';
import type { Failure } from '../data/run.ts';
import type { CallPlace } from '../data/trace.ts';
import { likelihoodOf, needOf } from './likelihood.ts';
import { parsePlace } from './phrase.ts';
import type { Role } from './view.ts';

/** `of` runs were made, `ok` of them went as wanted. */
interface Ratio {
  readonly ok: number;
  readonly of: number;
}

/** Where accesses were called from, innermost first. */
export type Calls = { readonly [role in Role]?: readonly CallPlace[] | undefined };

/** One forced order that was confirmed to fail. Several may show one defect. */
export interface ReportFinding {
  /** Id of the test. */
  readonly test: string;
  /** null: found without prediction. */
  readonly cutPoint: CutPoint | null;
  /** Without a cut point: two accesses that came in the other order than naturally. */
  readonly flip?: {
    readonly entity: string;
    readonly first: AccessPoint;
    readonly second: AccessPoint;
    readonly collision?: ReportBug['collision'];
  } | null;
  readonly calls?: Calls;
  /** Default: the natural order. */
  readonly against?: ReportBug['against'];
  readonly failure: Failure;
  /** The assumption that it rests on; null: none. */
  readonly conditional: string | null;
  readonly waits: readonly string[];
  readonly wakeUp?: ReportBug['wakeUp'];
  readonly reproduced: Ratio;
  readonly control: Ratio;
  /** `k/n`. */
  readonly witness: string | null;
  /** Absent or null: a race. */
  readonly timing?: ReportBug['timing'];
  readonly latency?: ReportBug['latency'];
  readonly network?: ReportBug['network'];
  /** Absent: none. */
  readonly packages?: readonly string[];
  /** Those that were looked into for this finding alone. */
  readonly lookedInto?: readonly string[];
  readonly counterfactual: ReportBug['counterfactual'];
  readonly fix: Ratio | null;
  readonly requiredStallMs: number;
  readonly requiredPauseMs: number;
  readonly switches: number;
  readonly schedulesUntilFound: number;
}

/** What a report is built from. */
export interface ReportInput {
  readonly tests: readonly ReportTest[];
  /** In the order in which they were found: the first of each defect represents it. */
  readonly findings: readonly ReportFinding[];
  readonly timing: Report['timing'];
  /** The command that replays a bug. Default: `unweave replay <id>`. */
  readonly replay?: (id: string) => string;
}

/** Deadlocks are told by who waits for what, or by what came in the other order: no triple explains them. */
const patternOf = ({ cutPoint, failure }: ReportFinding): CutPoint | null =>
  failure.kind === 'deadlock' ? null : cutPoint;

/** What a program makes anew in each run: ids of any kind, and times. */
const MADE = /\b(?=[0-9a-f-]*\d)[0-9a-f]{8}(?:-?[0-9a-f]{4}){0,3}(?:-?[0-9a-f]+)?\b|\d{5,}/gi;

/** Stable across runs, machines and moved lines: test, entity and normalised error. */
export function bugId(test: string, entity: string | null, fingerprint: string): string {
  const told = entity?.replace(MADE, '<n>') ?? null;
  const hash = createHash('sha256').update(JSON.stringify([test, told, fingerprint]));
  return `b${hash.digest('hex').slice(0, 8)}`;
}

function accessOf({ at, access, task }: AccessPoint, calls: readonly CallPlace[] = []): ReportAccess {
  const place = parsePlace(at);
  if (!place) throw new ReportError(`the report names an unknown program point (${at})`);
  const calledFrom = calls.map(({ fn, ...call }) => ({ ...call, function: fn }));
  return { ...place, access, task, calledFrom };
}

function variantOf(finding: ReportFinding): ReportVariant {
  const cut = patternOf(finding);
  const { flip, calls = {} } = finding;
  const access = (role: Role, point: AccessPoint | undefined): ReportAccess | null =>
    point ? accessOf(point, calls[role]) : null;
  const first = access('first', (cut ?? flip)?.first);
  const second = access('second', (cut ?? flip)?.second);
  return { pattern: cut?.pattern ?? null, first, remote: access('remote', cut?.remote), second };
}

/** The second one of two variables. */
function otherOf(finding: ReportFinding): ReportBug['other'] {
  const other = patternOf(finding)?.other;
  return other ? { entity: other.entity, remote: accessOf(other.remote) } : null;
}

/** Groups findings by defect: same test, same normalised error, same entity or no entity known. */
function defects(findings: readonly ReportFinding[]): ReportFinding[][] {
  const groups: ReportFinding[][] = [];
  // Those with a pattern first, so that one without can join the defect that explains it.
  const sorted = [...findings.filter(patternOf), ...findings.filter((finding) => !patternOf(finding))];
  for (const finding of sorted) {
    const entity = patternOf(finding)?.entity;
    const group = groups.find(([head]) => {
      if (head?.test !== finding.test || head.failure.fingerprint !== finding.failure.fingerprint)
        return false;
      // An assumption never lends its name to a defect that needs none.
      if ((head.conditional === null) !== (finding.conditional === null)) return false;
      return entity === undefined || patternOf(head)?.entity === entity;
    });
    if (group) group.push(finding);
    else groups.push([finding]);
  }
  return groups.sort((a, b) => findings.indexOf(a[0]!) - findings.indexOf(b[0]!));
}

const ratio = ({ ok, of }: Ratio): string => `${ok}/${of}`;

function bugOf(group: readonly ReportFinding[], replay: (id: string) => string): ReportBug {
  const head = group[0]!;
  const entity = patternOf(head)?.entity ?? head.flip?.entity ?? null;
  const id = bugId(head.test, entity, head.failure.fingerprint) + (head.conditional === null ? '' : 'c');
  const { name, message } = head.failure;
  return {
    id,
    test: head.test,
    kind: head.failure.kind,
    class: head.timing ? 'timing' : 'race',
    timing: head.timing ?? null,
    latency: head.latency ?? null,
    entity,
    conditional: head.conditional,
    ...variantOf(head),
    collision: patternOf(head) ? null : (head.flip?.collision ?? null),
    other: otherOf(head),
    packages: [...(head.packages ?? [])],
    lookedInto: [...(head.lookedInto ?? [])],
    variants: group.slice(1).filter(patternOf).map(variantOf),
    waits: [...head.waits],
    wakeUp: head.wakeUp ?? null,
    error: name === '' ? message : `${name}: ${message}`,
    reproduced: ratio(head.reproduced),
    against: head.against ?? 'natural',
    control: ratio(head.control),
    witness: head.witness,
    counterfactual: head.counterfactual,
    fix: head.fix && ratio(head.fix),
    network: head.network ?? null,
    requiredStallMs: head.requiredStallMs,
    requiredPauseMs: head.requiredPauseMs,
    likelihood: likelihoodOf(needOf(head)),
    switches: head.switches,
    schedulesUntilFound: Math.min(...group.map((finding) => finding.schedulesUntilFound)),
    replay: replay(id),
  };
}

/** Builds a report. Throws when it would not satisfy its own schema: a bug of ours, better told than shipped. */
export function buildReport(input: ReportInput): Report {
  const replay = input.replay ?? ((id: string) => `unweave replay ${id}`);
  return reportSchema.parse({
    version: REPORT_VERSION,
    tests: input.tests,
    bugs: defects(input.findings).map((group) => bugOf(group, replay)),
    timing: input.timing,
  });
}

/** Writes JSON to a file, or to standard output when `target` is `-`. A reader never sees half a file. */
export async function writeJson(value: unknown, target: string, where: Where = {}): Promise<void> {
  await writeText([`${JSON.stringify(value, null, 2)}\n`], target, where);
}

/** Where a command runs; default: this process. */
export interface Where {
  readonly cwd?: string;
  readonly stdout?: NodeJS.WritableStream;
}

/** The same for a text that comes in pieces, of any length. */
export async function writeText(
  text: Iterable<string> | AsyncIterable<string>,
  target: string,
  { cwd = process.cwd(), stdout = process.stdout }: Where = {},
): Promise<void> {
  if (target === '-') {
    for await (const piece of text)
      await new Promise<void>((done, fail) => stdout.write(piece, (error) => (error ? fail(error) : done())));
    return;
  }
  const file = resolve(cwd, target);
  // A device or a pipe is written to, never replaced.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
      throw unwritten(target, error);
    });
    return;
  }
  const part = `${file}.${process.pid}.tmp`;
  try {
    makeFolders(dirname(file));
    await writeFile(part, text);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    throw unwritten(target, error as NodeJS.ErrnoException);
  }
}

const unwritten = (target: string, { code }: NodeJS.ErrnoException): Error =>
  Object.assign(new ReportError(`${target}: cannot be written (${code})`), { code });
