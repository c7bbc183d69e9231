/** The tests of an analysis: how to run each again, and how far the analysis of each has come. */
import { z } from 'zod';
import { BASELINES, type Baseline, type Beside, besideSchema, COVERAGES, type Coverage } from '../report.ts';
import { RUNNER_NAMES } from '../runners.ts';
import { type Cell, int, json, nullable, oneOf, real, text } from './cells.ts';
import type { Connection, Row } from './connection.ts';
import { StoreError } from './error.ts';

const TEST_KINDS = ['harness', ...RUNNER_NAMES, 'script'] as const;
export type TestKind = (typeof TEST_KINDS)[number];

/** How to run a test again: plain JSON that its subject understands. */
export type StoredRecipe = Readonly<Record<string, unknown>>;
const besidesSchema = z.array(besideSchema);
const recipeSchema = z.record(z.string(), z.unknown());

export interface TestRecord {
  readonly id: string;
  /** Relative to the working directory. */
  readonly file: string;
  readonly name: string;
  /** Among the tests of equal file and name, from 0. */
  readonly ordinal: number;
  readonly kind: TestKind;
  readonly recipe: StoredRecipe;
  /** null: not run yet. */
  readonly baseline: Baseline | null;
  /** null: not known yet. */
  readonly coverage: Coverage | null;
  /** A remark for the report: why it was not analysed, which budget ended it. */
  readonly note: string | null;
  readonly tasks: number;
  readonly sharedEntities: number;
  /** Feasible orders of its host answers: a number where `allOrders`, else an estimate; null: not known. */
  readonly orders: number | null;
  /** Every one of them was executed. */
  readonly allOrders: boolean;
  /** What processes did at the same time and nobody judged. */
  readonly beside: readonly Beside[];
  /** The predictor is done with it. */
  readonly predicted: boolean;
  /** The rescheduler is done with it. */
  readonly finished: boolean;
}

/** What {@link putTest} needs; the rest starts empty. */
export type NewTest = Pick<TestRecord, 'id' | 'file' | 'name' | 'ordinal' | 'kind' | 'recipe'>;
/** What may change later. */
export type TestChanges = Partial<Omit<TestRecord, keyof NewTest>>;

const COLUMN_OF: Readonly<Record<keyof TestChanges, string>> = {
  baseline: 'baseline',
  coverage: 'coverage',
  note: 'note',
  tasks: 'tasks',
  sharedEntities: 'shared_entities',
  orders: 'orders',
  allOrders: 'all_orders',
  beside: 'beside',
  predicted: 'predicted',
  finished: 'finished',
};

const SELECT = `SELECT id, file, name, ordinal, kind, recipe, baseline, coverage, note, tasks, shared_entities,
  orders, all_orders, predicted, finished, beside FROM tests`;

/** Registers a test. One that is known keeps its state; only the recipe is renewed. */
export function putTest(connection: Connection, test: NewTest): void {
  connection.run(
    `INSERT INTO tests (id, seq, file, name, ordinal, kind, recipe)
     VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM tests), ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET recipe = excluded.recipe`,
    test.id,
    test.file,
    test.name,
    test.ordinal,
    test.kind,
    JSON.stringify(test.recipe),
  );
}

export function updateTest(connection: Connection, id: string, changes: TestChanges): void {
  for (const [key, column] of Object.entries(COLUMN_OF)) {
    const value = changes[key as keyof TestChanges];
    if (value === undefined) continue;
    const cell =
      typeof value === 'boolean' ? Number(value) : Array.isArray(value) ? JSON.stringify(value) : value;
    const { changes: hit } = connection.run(`UPDATE tests SET ${column} = ? WHERE id = ?`, cell, id);
    if (hit === 0) throw new StoreError('invalid', `unknown test ${id}`);
  }
}

export function getTest(connection: Connection, id: string): TestRecord | null {
  const row = connection.row(`${SELECT} WHERE id = ?`, id);
  return row ? readTest(row) : null;
}

/** All tests in the order in which they were registered; `where` narrows them. */
export function listTests(connection: Connection, where = 'true'): TestRecord[] {
  return connection.rows(`${SELECT} WHERE ${where} ORDER BY seq`).map(readTest);
}

function readTest(row: Row): TestRecord {
  const set = (cell: Cell | undefined): boolean => cell === 1;
  return {
    id: text(row[0], 'tests.id'),
    file: text(row[1], 'tests.file'),
    name: text(row[2], 'tests.name'),
    ordinal: int(row[3], 'tests.ordinal'),
    kind: oneOf(TEST_KINDS, row[4], 'tests.kind'),
    recipe: json(recipeSchema, row[5], 'tests.recipe'),
    baseline: nullable((cell, what) => oneOf(BASELINES, cell, what), row[6], 'tests.baseline'),
    coverage: nullable((cell, what) => oneOf(COVERAGES, cell, what), row[7], 'tests.coverage'),
    note: nullable(text, row[8], 'tests.note'),
    tasks: int(row[9], 'tests.tasks'),
    sharedEntities: int(row[10], 'tests.shared_entities'),
    orders: nullable(real, row[11], 'tests.orders'),
    allOrders: set(row[12]),
    predicted: set(row[13]),
    finished: set(row[14]),
    beside: json(besidesSchema, row[15], 'tests.beside'),
  };
}

/** Which tests a stage still has to do. A test that did not pass its baseline is nobody's work. */
export const TO_DO = {
  /** No trace yet. */
  record: `(baseline IS NULL OR baseline = 'passed') AND id NOT IN (SELECT test FROM traces)`,
  /** A trace, no prediction from it, and more than one order. */
  predict: `predicted = 0 AND finished = 0 AND (baseline IS NULL OR baseline = 'passed') AND id IN (SELECT test FROM traces)`,
  /** Predicted, and not yet explored to the end. */
  reschedule: `predicted = 1 AND finished = 0`,
} as const;
export type Stage = keyof typeof TO_DO;
