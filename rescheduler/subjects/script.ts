/** A whole program as the subject: it passes when it ends by itself with exit code 0. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunResult, StrategySpec } from '../../data/run.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { entryUrl } from '../entry.ts';
import { ProgramSubject } from '../loops/subject.ts';
import type { WitnessPlan } from '../witness/plan.ts';
import { lookingInto } from './config.ts';
import type { ProcessEnd, Recipe } from './job.ts';
import { ProcessRuns } from './process-subject.ts';
import { type ExecuteOptions, type Recording, type Subject, subjectId } from './protocol.ts';
import { type ProcessSource, processSource, processStart, type SubjectStart } from './source.ts';
import { stableName } from './stable-name.ts';
import { scriptRunner } from './unseen-runners.ts';

const sibling = (name: string): string => fileURLToPath(entryUrl(`./${name}`, import.meta.url));
const ENTRY = sibling('script-entry');
const PLAIN_ENTRY = sibling('script-plain-entry');

/** A recording may take so many times as long as the user's own command took. */
const SLOWER = 3;

/** A script by the way it was started. Every run is a process of its own. */
export class ScriptSubject implements Subject {
  readonly kind = 'script';
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly source: ProcessSource | null;
  readonly started: SubjectStart;
  readonly unseen: readonly string[];
  readonly loaded: readonly string[] | null;
  private readonly recipe: Recipe;
  private readonly config: LoaderConfig;
  private readonly runs: ProcessRuns;
  private readonly plainRuns: ProcessRuns;
  /** The script as the user started it. */
  private readonly itself: ProcessRuns;

  /** How long the user's own command took with it, ms; 0 where nobody knows. */
  private readonly tookMs: number;

  /** `end`: how it ended in the user's own command. */
  constructor(
    recipe: Recipe,
    config: LoaderConfig,
    end: ProcessEnd | null = null,
    loaded: readonly string[] | null = null,
  ) {
    this.loaded = loaded;
    this.tookMs = end?.tookMs ?? 0;
    this.unseen = (end?.seen.unseen ?? []).map((path) => relative(config.cwd, path));
    const [file, ...args] = recipe.argv as [string, ...string[]];
    const runner = scriptRunner(file);
    const shown = runner === null ? file : args.map((arg) => resolve(recipe.cwd, arg)).find(existsSync);
    this.file = relative(config.cwd, shown ?? file);
    this.name = stableName([runner ?? this.file, ...args].join(' '));
    this.id = subjectId(this.file, this.name, 0);
    this.recipe = recipe;
    this.config = config;
    const what = { kind: 'script' as const, file, name: this.name, ordinal: 0 };
    this.source = processSource(recipe, what);
    this.started = processStart(recipe, what);
    const target = { file, name: this.name, ordinal: 0 };
    const runs = (...entry: string[]) =>
      new ProcessRuns({
        recipe: { ...recipe, argv: [...entry, ...recipe.argv] },
        target,
        config,
        isProgram: true,
      });
    this.runs = runs(ENTRY);
    this.plainRuns = runs(PLAIN_ENTRY);
    this.itself = runs();
  }

  execute(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult> {
    return this.runs.run(spec, options);
  }

  executeFresh(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult> {
    return this.runs.run(spec, options);
  }

  executePlain(plan: WitnessPlan | null, options: ExecuteOptions): Promise<RunResult> {
    return plan === null ? this.itself.native(options) : this.plainRuns.plain(plan, options);
  }

  lookInto(packages: readonly string[]): Subject {
    return new ScriptSubject(this.recipe, lookingInto(this.config, packages));
  }

  async record(options: ExecuteOptions, spec?: StrategySpec): Promise<Recording> {
    if (spec) return this.runs.record(options, spec);
    // What takes long plainly is recorded all the same; it is only not forced.
    const { watchdogMs } = options.limits;
    const limits = { ...options.limits, watchdogMs: Math.max(watchdogMs, SLOWER * this.tookMs) };
    const recording = await this.runs.record({ ...options, limits });
    if (recording.result.durationMs <= watchdogMs) return recording;
    return { ...recording, result: { ...recording.result, overtime: true } };
  }

  threads(): ProgramSubject {
    return new ProgramSubject(this.recipe, null, this.source, this.config);
  }

  output(): string {
    return this.runs.output();
  }

  async close(): Promise<void> {}
}
