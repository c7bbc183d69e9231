/** The command line of Jest, as far as it matters which sequencer it has and what a run writes. */
import { join } from 'node:path';
import type { Job } from '../../subjects/job.ts';

export interface JestCommandLine {
  readonly config: string | undefined;
  /** The only project that it names. */
  readonly project: string | undefined;
  readonly sequencer: string | undefined;
  /** All options but those, as they were given. */
  readonly options: readonly string[];
  /** Behind `--`. */
  readonly patterns: readonly string[];
}

interface Option {
  readonly name: string;
  /** The arguments that it takes. */
  readonly values: readonly string[];
  readonly text: readonly string[];
}

/** Of the option `-c`. */
const SHORT: Readonly<Record<string, string>> = { c: 'config' };

export function parseCommandLine(args: readonly string[]): JestCommandLine {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const options = optionsOf(own);
  const [config, sequencer] = [givenFor(options, 'config'), givenFor(options, 'testSequencer')];
  const projects = options.filter(({ name }) => name === 'projects').flatMap(({ values }) => values);
  return {
    config,
    sequencer,
    project: projects.length === 1 ? projects[0] : undefined,
    options: options.flatMap((each) => without(each, 'testSequencer', 1)),
    patterns: end < 0 ? [] : args.slice(end),
  };
}

/** The same command with our sequencer, and for one case alone where that is the job. */
export function argumentsOf({ options, patterns }: JestCommandLine, sequencer: string, job: Job): string[] {
  const ours = [`--testSequencer=${sequencer}`, '--workerThreads=false'];
  // By default that is in the directory for temporary files, of which each run has its own.
  if (!optionsOf(options).some(({ name }) => name === 'cacheDirectory'))
    ours.push(`--cacheDirectory=${join(job.config.cacheDir, 'jest')}`);
  if (job.mode === 'record') return [...options, ...ours, ...patterns];
  const kept = optionsOf(options).flatMap((each) =>
    ['reporters', 'outputFile', 'ci', 'updateSnapshot', 'u'].includes(each.name)
      ? without(each, each.name, each.name === 'reporters' ? each.values.length : takesOne(each.name))
      : each.text,
  );
  // What is about all tests is not written by a run of one.
  const alone = ['--ci', '--coverage=false', '--json=false', '--watch=false', '--watchAll=false'];
  return [...kept, ...alone, '--reporters=default', ...ours, ...patterns];
}

const takesOne = (name: string): number => (name === 'outputFile' ? 1 : 0);

/** Every option with all that may be its arguments; what comes before the first option has no name. */
function optionsOf(args: readonly string[]): Option[] {
  const found: { name: string; values: string[]; text: string[] }[] = [{ name: '', values: [], text: [] }];
  for (const arg of args) {
    const [, name, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const last = found.at(-1)!;
    if (name !== undefined)
      found.push({ name: canonical(name), values: value === undefined ? [] : [value], text: [arg] });
    else {
      last.values.push(arg);
      last.text.push(arg);
    }
  }
  return found;
}

/** Options may be written in both ways. */
const canonical = (name: string): string =>
  SHORT[name] ?? name.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());

const givenFor = (options: readonly Option[], wanted: string): string | undefined =>
  options.findLast(({ name }) => name === wanted)?.values[0];

/** What is left of the arguments when an option of this name is gone, which takes so many. */
function without({ name, text }: Option, gone: string, takes: number): readonly string[] {
  if (name !== gone) return text;
  const inline = text[0]!.includes('=') ? 1 : 0;
  return text.slice(1 + Math.max(0, takes - inline));
}
