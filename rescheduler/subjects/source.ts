/**
 * How to run a subject again without looking for it: plain data that a store can keep. It never holds values
 * of the environment, which may be secrets: a process that needs others than ours is found anew.
 */
import { z } from 'zod';
import { overlapPlanSchema } from '../../data/overlap.ts';
import { RUNNER_NAMES } from '../../data/runners.ts';
import type { Recipe } from './job.ts';

const recipeSchema = z.strictObject({
  execPath: z.string(),
  execArgv: z.array(z.string()),
  argv: z.array(z.string()).min(1),
  cwd: z.string(),
  runner: z.boolean(),
});

const processSchema = z.strictObject({
  kind: z.enum([...RUNNER_NAMES, 'script']),
  file: z.string(),
  name: z.string(),
  ordinal: z.int().nonnegative(),
  recipe: recipeSchema,
});

const scenarioSchema = z.strictObject({
  name: z.string(),
  group: z.string(),
  spec: z.string(),
  operations: z.array(z.string()).min(1),
  keys: z.enum(['same', 'other']),
  refusable: z.array(z.int().nonnegative()),
  sequel: z.int().positive().nullable(),
  calls: z.array(z.string()).min(1),
  start: z.enum(['together', 'apart']),
});

export const sourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('harness'), file: z.string(), name: z.string() }),
  z.strictObject({ ...scenarioSchema.shape, kind: z.literal('scenario'), file: z.string() }),
  z.strictObject({
    kind: z.literal('threads'),
    file: z.string(),
    name: z.string(),
    scenario: z
      .strictObject({ ...scenarioSchema.shape, args: z.array(z.int().nonnegative()).min(1) })
      .optional(),
  }),
  processSchema,
  z.strictObject({ kind: z.literal('program'), of: processSchema }),
  z.strictObject({
    ...processSchema.shape,
    kind: z.literal('overlap'),
    runner: z.enum(RUNNER_NAMES),
    plan: overlapPlanSchema,
    keys: z.enum(['same', 'other']),
    told: z.string(),
  }),
]);

/** Node's runner numbers the processes of its files: no environment of their own, and any number will do. */
const WORKER_ID = 'NODE_TEST_WORKER_ID';

/** A subject as a store keeps it; files are absolute. */
export type SubjectSource = z.infer<typeof sourceSchema>;
/** Sources of threads: harnesses, and programs that start their own workers. */
export type ThreadSource = Extract<SubjectSource, { kind: 'threads' | 'program' }>;
export type TaskSource = Exclude<SubjectSource, ThreadSource>;
export type ProcessSource = z.infer<typeof processSchema>;

/** The source of a test case or script; null where its environment is not the one of this process. */
export function processSource(
  { env, ...recipe }: Recipe,
  what: Omit<ProcessSource, 'recipe'>,
): ProcessSource | null {
  const { source, environment } = processStart({ env, ...recipe }, what);
  return environment.length > 0 ? null : source;
}

export const startSchema = z.strictObject({
  source: sourceSchema,
  /** Names of the variables that its process had and this one has not, or not so. */
  environment: z.array(z.string()),
});

/** How a test was started, for those who start it where its variables are set again. */
export type SubjectStart = z.infer<typeof startSchema>;

export function processStart(
  { env, ...recipe }: Recipe,
  what: Omit<ProcessSource, 'recipe'>,
): { readonly source: ProcessSource; readonly environment: string[] } {
  const own = Object.entries(env).filter(
    ([key, value]) => value !== '' && process.env[key] !== value && key !== WORKER_ID,
  );
  const source = { ...what, recipe: { ...recipe, execArgv: [...recipe.execArgv], argv: [...recipe.argv] } };
  return { source, environment: own.map(([key]) => key) };
}

/** The recipe of a source, in the environment of this process. */
export const recipeOf = ({ recipe }: Pick<ProcessSource, 'recipe'>): Recipe => ({
  ...recipe,
  env: { [WORKER_ID]: '1' },
});
