/** The text of a test that forces the order of a bug. */
import type { RunnerRow } from '../../data/runners.ts';
import type { SubjectSource } from '../../rescheduler/subjects/source.ts';

/**
 * How a file names others: `module`, `commonjs`, or `transpiled`, which is written as the one and runs as the other.
 */
export type ModuleStyle = 'module' | 'commonjs' | 'transpiled';

const HAS_MODULE_SYNTAX = /^\s*(?:import\s[^(]|import\{|import['"]|export\s)/m;

/** That of the test which showed the bug. `isModule`: its package says so. */
export function moduleStyle(
  file: string,
  text: string,
  isModule: boolean,
  kind: string,
  source: SubjectSource,
): ModuleStyle {
  // Vitest itself cannot be required.
  if (kind === 'vitest') return 'module';
  if (/\.c[jt]s$/.test(file)) return 'commonjs';
  const isWritten = /\.m[jt]s$/.test(file) || HAS_MODULE_SYNTAX.test(text);
  // Its own modules are those of Babel, unless Node's are asked for.
  if (kind === 'jest' && !asksForModules(source)) return isWritten ? 'transpiled' : 'commonjs';
  return isWritten || isModule ? 'module' : 'commonjs';
}

const asksForModules = (source: SubjectSource): boolean => {
  const execArgv = 'recipe' in source ? source.recipe.execArgv : [];
  return [...execArgv, process.env['NODE_OPTIONS'] ?? ''].some((arg) =>
    arg.includes('experimental-vm-modules'),
  );
};

/** Of the text that is written: what builds this file would take the whole for its own. */
const META = 'import.meta';

/** A run takes a process, or two where it fails. */
const TIMEOUT_MS = 120_000;

interface ExportedTest {
  readonly runner: RunnerRow;
  readonly style: ModuleStyle;
  /** Text of programs under test: it is a literal wherever it stands. */
  readonly title: string;
  /** Name of the file beside it. */
  readonly order: string;
  /** Of calls that overlap; else what is forced is a test. */
  readonly overlap?: OverlapText | undefined;
}

export interface OverlapText {
  /** The file that declares them, from that of the test. */
  readonly from: string;
  readonly spec: string;
  readonly calls: readonly string[];
  readonly start: 'together' | 'apart';
  /** The call at this place comes behind the one before it; null: each begins by itself. */
  readonly sequel: number | null;
  /** What came of them, and what may. */
  readonly told: string;
}

export function exportedTest({ runner, style, title, order, overlap }: ExportedTest): string {
  const load = (names: string, from: string): string =>
    style === 'commonjs' ? `const ${names} = require('${from}');` : `import ${names} from '${from}';`;
  const beside =
    style === 'module'
      ? `new URL(${JSON.stringify(`./${order}`)}, ${META}.url)`
      : `__dirname + ${JSON.stringify(`/${order}`)}`;
  const name = quoted(title.replace(/\s+/g, ' '));
  const imports = [
    ...(runner.testFrom === null ? [] : [load('{ test }', runner.testFrom)]),
    load(overlap ? '{ assertOneOf, overlap }' : '{ force }', 'unweave/order'),
  ];
  const about = overlap
    ? aboutOverlap(overlap)
    : ['Written by `unweave export`. It runs the test that showed a bug in the order in which it failed.'];
  const call = overlap ? overlapCall(overlap, beside) : `() => force(${beside})`;
  return [
    ...about.map((line) => (line === '' ? '//' : `// ${line}`)),
    ...imports,
    '',
    ...runner.testOf(name, call, TIMEOUT_MS),
    '',
  ].join('\n');
}

/** A literal of any text: of calls, which are full of quotes, as people write it. */
const quoted = (text: string): string =>
  /^[^'\\\p{C}\p{Z}]*(?: [^'\\\p{C}\p{Z}]*)*$/u.test(text) ? `'${text}'` : JSON.stringify(text);

function aboutOverlap({ from, spec, told }: OverlapText): string[] {
  return [
    'Written by `unweave export`. What comes of calls that overlap has to be what some serial order of them gives. They are made',
    `in the order in which it was not, on what ${quoted(spec)} of ${from} sets up, and compared by what that observes:`,
    '',
    ...told.split(/[\n\r\u2028\u2029]+/).map((line) => line.trimEnd()),
  ];
}

function overlapCall({ calls, start, sequel }: OverlapText, beside: string): string {
  const lines = calls.map((call, at) => {
    const when =
      at === sequel
        ? ' // when the one before has ended'
        : start === 'apart' && at > 0
          ? ` // ${at} ms later`
          : '';
    return `    ${quoted(call)},${when}`;
  });
  return [
    'async () => {',
    `  const { outcome, serial } = await overlap(${beside}, [`,
    ...lines,
    '  ]);',
    '  assertOneOf(outcome, serial);',
    '}',
  ].join('\n');
}
