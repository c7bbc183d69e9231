/** Orders to force. Each is in the store before it runs, so that a killed run can be found and replayed. */
import { ORIGINS, type Origin, type Schedule } from '../prediction.ts';
import { VERDICTS, type Verdict } from '../verdicts.ts';
import { int, nullable, oneOf, real, text } from './cells.ts';
import type { Connection, Row } from './connection.ts';
import { packNames, unpackNames } from './names.ts';

/** Ends the id of a minimal form. */
export const MINIMAL = '-minimal';

export interface StoredSchedule {
  readonly test: string;
  readonly schedule: Schedule;
  readonly origin: Origin;
  /** Random orders: the seed that makes it again. */
  readonly seed: number | null;
  /** Runs that were announced. */
  readonly attempts: number;
  /** The last announced run never came back: its process died. */
  readonly interrupted: boolean;
  readonly verdict: Verdict | null;
  /** Why, in a sentence. */
  readonly note: string | null;
}

const SELECT = `SELECT s.test, s.id, s.cut_point, s.steps, s.moves, s.switches, s.stall, s.origin, s.seed,
  s.attempts, s.planned, v.verdict, v.note
  FROM schedules s LEFT JOIN verdicts v ON v.test = s.test AND v.schedule = s.id`;
/** In the order in which they were put: the predictor arranges them. */
const ORDER = 'ORDER BY s.seq';

/** Stores a schedule unless its id is known: an id names one order. */
export function putSchedule(
  connection: Connection,
  test: string,
  schedule: Schedule,
  origin: Origin,
  seed: number | null,
): void {
  connection.run(
    `INSERT INTO schedules (test, id, seq, cut_point, origin, seed, steps, moves, switches, stall)
     VALUES (?, ?, (SELECT coalesce(max(seq), 0) + 1 FROM schedules WHERE test = ?), ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (test, id) DO NOTHING`,
    test,
    schedule.id,
    test,
    schedule.cutPoint,
    origin,
    seed,
    packNames(connection, schedule.steps),
    schedule.moves,
    schedule.switches,
    schedule.stallMs,
  );
}

/** Announces a run; must be committed before the run begins. */
export function planRun(connection: Connection, test: string, schedule: string): void {
  connection.run(
    'UPDATE schedules SET attempts = attempts + 1, planned = 1 WHERE test = ? AND id = ?',
    test,
    schedule,
  );
}

/** The schedules of a test, those to try first in front. */
export function getSchedules(connection: Connection, test: string, pendingOnly: boolean): StoredSchedule[] {
  const pending = pendingOnly ? 'AND v.verdict IS NULL' : '';
  return connection
    .rows(`${SELECT} WHERE s.test = ? ${pending} ${ORDER}`, test)
    .map((row) => readSchedule(connection, row));
}

/** Every test's schedule of this id. */
export function findSchedules(connection: Connection, id: string): StoredSchedule[] {
  return connection
    .rows(`${SELECT} WHERE s.id = ? ORDER BY s.test`, id)
    .map((row) => readSchedule(connection, row));
}

function readSchedule(connection: Connection, row: Row): StoredSchedule {
  return {
    test: text(row[0], 'schedules.test'),
    schedule: {
      id: text(row[1], 'schedules.id'),
      cutPoint: nullable(text, row[2], 'schedules.cut_point'),
      steps: unpackNames(connection, row[3], 'schedules.steps'),
      moves: int(row[4], 'schedules.moves'),
      switches: int(row[5], 'schedules.switches'),
      stallMs: real(row[6], 'schedules.stall'),
    },
    origin: oneOf(ORIGINS, row[7], 'schedules.origin'),
    seed: nullable(int, row[8], 'schedules.seed'),
    attempts: int(row[9], 'schedules.attempts'),
    interrupted: row[10] === 1,
    verdict: nullable((cell, what) => oneOf(VERDICTS, cell, what), row[11], 'verdicts.verdict'),
    note: nullable(text, row[12], 'verdicts.note'),
  };
}
