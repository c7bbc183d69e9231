/** Confirmed bugs, as the report tells them. */
import { type ReportBug, reportBugSchema } from '../report.ts';
import { json, nullable, text } from './cells.ts';
import type { Connection, Row } from './connection.ts';
import { StoreError } from './error.ts';

export interface Bug {
  /** Equal for equal defects of a test. */
  readonly fingerprint: string;
  /** The schedule that shows it. */
  readonly schedule: string | null;
  readonly report: ReportBug;
}

/** Stores a bug; one of the same id is replaced and keeps its place. */
export function putBug(connection: Connection, bug: Bug): void {
  const report = reportBugSchema.safeParse(bug.report);
  if (!report.success) {
    const issue = report.error.issues[0];
    throw new StoreError('invalid', `bug ${bug.report.id}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  connection.run(
    `INSERT INTO bugs (id, seq, test, schedule, fingerprint, report)
     VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM bugs), ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET test = excluded.test, schedule = excluded.schedule,
       fingerprint = excluded.fingerprint, report = excluded.report`,
    bug.report.id,
    bug.report.test,
    bug.schedule,
    bug.fingerprint,
    JSON.stringify(report.data),
  );
}

const SELECT = 'SELECT b.schedule, b.fingerprint, b.report FROM bugs b';

/**
 * All bugs, or those of one test: test by test, as they were found there. Which of two tests is done first
 * is chance, and two reports of one program must be equal.
 */
export function getBugs(connection: Connection, test?: string): Bug[] {
  return (
    test === undefined
      ? connection.rows(`${SELECT} JOIN tests t ON t.id = b.test ORDER BY t.seq, b.seq`)
      : connection.rows(`${SELECT} WHERE b.test = ? ORDER BY b.seq`, test)
  ).map(readBug);
}

export function getBug(connection: Connection, id: string): Bug | null {
  const row = connection.row(`${SELECT} WHERE b.id = ?`, id);
  return row ? readBug(row) : null;
}

function readBug(row: Row): Bug {
  return {
    schedule: nullable(text, row[0], 'bugs.schedule'),
    fingerprint: text(row[1], 'bugs.fingerprint'),
    report: json(reportBugSchema, row[2], 'bugs.report'),
  };
}
