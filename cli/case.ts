/** One test case, as a person names it: by its file, its name or a pattern, each of which may be left out. */
import { relative, resolve } from 'node:path';
import { UsageError } from './errors.ts';

export interface WantedCase {
  readonly file: string | null;
  /** The whole name, that of the innermost suite, or a part of it. */
  readonly name: string | null;
  /** A regular expression, as test runners take it. */
  readonly pattern: string | null;
}

interface NamedCase {
  readonly file: string;
  /** `outer > inner` for nested tests. */
  readonly name: string;
}

const SOURCE = /\.[cm]?[jt]sx?$/;

/** What stands before `--`: a file, a name, or both. */
export function wantedCase(given: readonly string[], pattern: string | undefined): WantedCase {
  const [first = null, second = null] = given;
  if (given.length > 2)
    throw new UsageError(
      `one file and one name, not "${given.join('" "')}": a name with blanks needs quotes`,
    );
  if (second !== null) return { file: first, name: second, pattern: pattern ?? null };
  const isFile = first !== null && SOURCE.test(first);
  return { file: isFile ? first : null, name: isFile ? null : first, pattern: pattern ?? null };
}

function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch {
    throw new UsageError(`--test-name-pattern ${pattern}: not a regular expression`);
  }
}

const MOST_TOLD = 8;

function told(tests: readonly NamedCase[]): string {
  const names = tests.slice(0, MOST_TOLD).map(({ file, name }) => `${file} › ${name}`);
  return names.join(', ') + (tests.length > MOST_TOLD ? `, and ${tests.length - MOST_TOLD} more` : '');
}

/** The one test that is meant. Throws, with what there is, where it is none or several. */
export function chooseCase<Test extends NamedCase>(
  tests: readonly Test[],
  { file, name, pattern }: WantedCase,
  cwd: string,
): Test {
  const path = file && relative(cwd, resolve(cwd, file));
  const regexp = pattern === null ? null : patternOf(pattern);
  const inFile = tests.filter(
    (test) => path === null || test.file === path || test.file.endsWith(`/${path}`),
  );
  const fits = inFile.filter(
    // Runners put a blank between the names of suites and cases.
    (test) => regexp === null || regexp.test(test.name) || regexp.test(test.name.replaceAll(' > ', ' ')),
  );
  const ways: readonly ((test: Test) => boolean)[] =
    name === null
      ? [() => true]
      : [
          (test) => test.name === name,
          (test) => test.name.endsWith(` > ${name}`),
          (test) => test.name.includes(name) || test.name.replaceAll(' > ', ' ').includes(name),
        ];
  const found = ways.map((way) => fits.filter(way)).find((some) => some.length > 0) ?? [];
  const [one, ...others] = found;
  if (one && others.length === 0) return one;
  const asked = [file, name, pattern].filter((part) => part !== null).map((part) => `"${part}"`);
  if (one)
    throw new UsageError(
      `one test at a time: ${found.length} are ${asked.length > 0 ? `called ${asked.join(' ')}` : 'there'}: ${told(found)}; name its file and name before "--"`,
    );
  if (tests.length === 0)
    throw new UsageError('the command ran no test that is seen (see unweave run --help)');
  throw new UsageError(
    `no test is called ${asked.join(' ')}; there are ${told(inFile.length > 0 ? inFile : tests)}`,
  );
}
