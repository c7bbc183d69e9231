/** A command line without a process: streams that collect, a pipeline that answers what a test says. */
import { Writable } from 'node:stream';
import type { CliIo } from '../../cli/handlers.ts';
import { main } from '../../cli/main.ts';
import type { RunOptions } from '../../cli/options.ts';
import type { Pipeline, PipelineResult } from '../../cli/pipeline-api.ts';
import { temporary } from '../temporary.ts';

/** What a command line did. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Pipeline functions called, with their options. */
  readonly calls: readonly {
    readonly name: string;
    readonly options: RunOptions;
    readonly args: unknown[];
  }[];
}

class Collector extends Writable {
  text = '';
  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

/** An empty working directory. */
export const emptyFolder = (): string => temporary('unweave-cli');

/** Runs a command line; `answers` replaces single functions of the pipeline. */
export async function run(
  argv: readonly string[],
  answers: Partial<Pipeline> = {},
  {
    cwd = emptyFolder(),
    signal = new AbortController().signal,
    env = {},
  }: { cwd?: string; signal?: AbortSignal; env?: CliIo['env'] } = {},
): Promise<Ended> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const calls: { name: string; options: RunOptions; args: unknown[] }[] = [];
  const missing = (name: string) => () => Promise.reject(new Error(`no answer for ${name}`));
  const names = [
    'runPipeline',
    'monitorOnly',
    'predictOnly',
    'rescheduleOnly',
    'replayBug',
    'inspectStore',
    'reportStored',
  ] as const;
  const pipeline = Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]) => {
        const options = args.find(
          (arg): arg is RunOptions => typeof arg === 'object' && arg !== null && 'cwd' in arg,
        );
        calls.push({ name, options: options!, args });
        const answer = answers[name] as ((...args: unknown[]) => Promise<unknown>) | undefined;
        return (answer ?? missing(name))(...args);
      },
    ]),
  ) as unknown as Pipeline;
  const io: CliIo = { cwd, env, stdout, stderr, signal, pipeline: () => Promise.resolve(pipeline) };
  const code = await main(argv, io);
  return { code, out: stdout.text, err: stderr.text, calls };
}

/** A pipeline that answers every stage with one result. */
export const answering = (result: PipelineResult): Partial<Pipeline> => {
  const answer = () => Promise.resolve(result);
  return { runPipeline: answer, monitorOnly: answer, predictOnly: answer, rescheduleOnly: answer };
};
