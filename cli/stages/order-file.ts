/** The order of a bug as a file: enough to force it without a store, on whatever machine the project is. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { sourceSchema } from '../../rescheduler/subjects/source.ts';
import { UsageError } from '../errors.ts';

/** Stands in the file for the root of the project. */
const ROOT = '<root>';

const stepSchema = z.strictObject({
  within: z.string(),
  api: z.string(),
  nth: z.int().nonnegative(),
  op: z.string().regex(/^[EXD]:$/),
});

const orderFileSchema = z.strictObject({
  version: z.literal(1),
  bug: z.string(),
  /** For people: what it is about. */
  about: z.string(),
  test: z.string(),
  error: z.string(),
  /** From the folder of the file to the root of the project. */
  root: z.string(),
  source: sourceSchema,
  /** Names of variables without which the test cannot be started. */
  environment: z.array(z.string()),
  config: z.strictObject({
    cwd: z.string(),
    instrument: z.array(z.string()),
    exclude: z.array(z.string()),
    assumeIo: z.array(z.string()),
    allowPeers: z.array(z.string()),
    locks: z.array(z.string()),
  }),
  limits: z.looseObject({ maxStallMs: z.number(), maxPauseMs: z.number(), watchdogMs: z.number() }),
  steps: z.array(z.string()),
  /** What is late in it, for a program that takes other steps by now. */
  late: z.array(z.strictObject({ step: stepSchema, until: stepSchema })).default([]),
});

export type OrderFile = z.output<typeof orderFileSchema>;

/** Paths within the project are told from its root, wherever in a text they stand. */
export const withoutRoot = <T>(value: T, root: string): T => replaced(value, root, ROOT);

function replaced<T>(value: T, from: string, to: string): T {
  if (typeof value === 'string') {
    const inside = value.replaceAll(`${from}/`, () => `${to}/`);
    return (inside === from ? to : inside) as T;
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, from, to)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, from, to)])) as T;
}

export const isOrderFile = (name: string, cwd: string): boolean =>
  name.endsWith('.json') && existsSync(resolve(cwd, name));

export function readOrderFile(name: string, cwd: string): OrderFile {
  const file = resolve(cwd, name);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UsageError(`${name}: not an exported order (not JSON)`);
  }
  const read = orderFileSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new UsageError(`${name}: not an exported order (${issue?.path.join('.')}: ${issue?.message})`);
  }
  const missing = read.data.environment.filter((variable) => process.env[variable] === undefined);
  if (missing.length > 0)
    throw new UsageError(
      `${name}: its test was started with ${missing.join(', ')} set, which is not so here`,
    );
  return replaced(read.data, ROOT, resolve(dirname(file), read.data.root));
}
