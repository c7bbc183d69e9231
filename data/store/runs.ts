/** What came of each execution. */
import { z } from 'zod';
import { BUG_KINDS } from '../report.ts';
import type { RunResult } from '../run.ts';
import { int, json, nullable, oneOf, real, text } from './cells.ts';
import type { Connection } from './connection.ts';
import { packNames, unpackNames } from './names.ts';

/** One execution: of a schedule, or of the observed order. */
export interface Run {
  /** null: the observed order without a schedule, such as a baseline. */
  readonly schedule: string | null;
  /** In a process of its own, or in a warm one with fresh module state. */
  readonly mode: 'fresh' | 'warm';
  /** The observed order, run next to a confirmation of this schedule. */
  readonly control: boolean;
  /** `choices` and `breadth` are for the search at work and are not kept. */
  readonly result: Omit<RunResult, 'choices' | 'breadth'>;
}

export interface StoredRun extends Run {
  readonly id: number;
}

/** A failure, as JSON. */
const failureSchema = z.object({
  kind: z.enum(BUG_KINDS),
  name: z.string(),
  message: z.string(),
  stack: z.string(),
  fingerprint: z.string(),
  mixedUp: z.literal(true).optional(),
});
const lateSchema = z.array(z.object({ api: z.string(), what: z.string(), ms: z.number() }));
const divergenceSchema = z.object({ at: z.number(), wanted: z.string(), instead: z.string() });
const waitsSchema = z.array(z.string());
const ungatedSchema = z.record(z.string(), z.number());

const orNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export function putRun(connection: Connection, test: string, run: Run): number {
  const { result: r, schedule, mode, control } = run;
  const { id } = connection.run(
    `INSERT INTO runs (test, schedule, mode, control, outcome, followed, pattern_seen, failure, fingerprint, steps,
       required_stall, required_pause, late, trace_hash, divergence, waits, ungated, duration)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    test,
    schedule,
    mode,
    Number(control),
    r.outcome,
    r.followed,
    Number(r.patternSeen),
    orNull(r.failure),
    r.failure?.fingerprint ?? null,
    packNames(connection, r.steps),
    r.requiredStallMs,
    r.requiredPauseMs,
    JSON.stringify(r.late),
    r.traceHash,
    orNull(r.divergence),
    JSON.stringify(r.waits),
    JSON.stringify(r.ungated),
    r.durationMs,
  );
  if (schedule !== null)
    connection.run('UPDATE schedules SET planned = 0 WHERE test = ? AND id = ?', test, schedule);
  return id;
}

/** The runs of a test, or of one of its schedules, in the order in which they ended. */
export function getRuns(connection: Connection, test: string, schedule?: string | null): StoredRun[] {
  const narrow = schedule === undefined ? '' : 'AND schedule IS ?';
  const rows = connection.rows(
    `SELECT id, schedule, mode, control, outcome, followed, pattern_seen, failure, steps, required_stall,
       required_pause, late, trace_hash, divergence, waits, ungated, duration
     FROM runs WHERE test = ? ${narrow} ORDER BY id`,
    test,
    ...(schedule === undefined ? [] : [schedule]),
  );
  return rows.map((row) => ({
    id: int(row[0], 'runs.id'),
    schedule: nullable(text, row[1], 'runs.schedule'),
    mode: oneOf(['fresh', 'warm'], row[2], 'runs.mode'),
    control: row[3] === 1,
    result: {
      outcome: oneOf(['pass', 'fail', 'deadlock', 'unknown'], row[4], 'runs.outcome'),
      followed: nullable(
        (cell, what) => oneOf(['followed', 'infeasible', 'diverged'], cell, what),
        row[5],
        'runs.followed',
      ),
      patternSeen: row[6] === 1,
      failure: nullable((cell, what) => json(failureSchema, cell, what), row[7], 'runs.failure'),
      steps: unpackNames(connection, row[8], 'runs.steps'),
      requiredStallMs: real(row[9], 'runs.required_stall'),
      requiredPauseMs: real(row[10], 'runs.required_pause'),
      late: json(lateSchema, row[11], 'runs.late'),
      traceHash: text(row[12], 'runs.trace_hash'),
      divergence: nullable((cell, what) => json(divergenceSchema, cell, what), row[13], 'runs.divergence'),
      waits: json(waitsSchema, row[14], 'runs.waits'),
      ungated: json(ungatedSchema, row[15], 'runs.ungated'),
      durationMs: real(row[16], 'runs.duration'),
    },
  }));
}
