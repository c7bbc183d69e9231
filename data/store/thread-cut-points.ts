/** Cut points of a trace of threads, with their schedules and the reasons of their rank. */
import { z } from 'zod';
import { SHAPES } from '../prediction.ts';
import type { ThreadCutPoint } from '../threads/cut-point.ts';
import { blob, type Cell, corrupt, index, int, json, oneOf, real, text } from './cells.ts';
import { decodeColumn, encodeColumn } from './codec.ts';
import type { Connection } from './connection.ts';
import { StoreError } from './error.ts';

const COLUMNS = [
  'pattern',
  'entity',
  'first',
  'remote',
  'second',
  'completes',
  'alike',
  'rank',
  'reasons',
  'switches_before',
  'switches_after',
  'observed',
  'events',
  'schedule',
  'reduced',
] as const;

const reasonsSchema = z.array(z.string());

/** Replaces the cut points of a trace. */
export function putThreadCutPoints(
  connection: Connection,
  name: string,
  cutPoints: readonly ThreadCutPoint[],
): void {
  connection.write(() => {
    const trace = connection.row('SELECT id FROM thread_traces WHERE name = ?', name)?.[0];
    if (trace === undefined) throw new StoreError('invalid', `no trace of threads named ${name}`);
    connection.run('DELETE FROM thread_cut_points WHERE trace = ?', trace);
    const insert = connection.prepare(
      `INSERT INTO thread_cut_points (trace, seq, ${COLUMNS.join(', ')})
       VALUES (?, ?, ${COLUMNS.map(() => '?').join(', ')})`,
    );
    for (const [seq, c] of cutPoints.entries())
      insert.run(
        trace,
        seq,
        c.pattern,
        c.entity,
        c.first,
        c.remote,
        c.second,
        c.completes ? 1 : 0,
        c.alike,
        c.rank,
        JSON.stringify(c.reasons),
        c.switches.before,
        c.switches.after,
        c.observed,
        c.schedule.length,
        encodeColumn(c.schedule),
        encodeColumn(c.reduced),
      );
  });
}

/** The cut points of a trace, in the order in which they were put. */
export function getThreadCutPoints(connection: Connection, name: string): ThreadCutPoint[] {
  const trace = connection.row('SELECT id, events FROM thread_traces WHERE name = ?', name);
  if (!trace) return [];
  const total = int(trace[1], 'thread_traces.events');
  return connection
    .rows(`SELECT ${COLUMNS.join(', ')} FROM thread_cut_points WHERE trace = ? ORDER BY seq`, trace[0])
    .map((row) => {
      const cell = (column: (typeof COLUMNS)[number]): Cell | undefined => row[COLUMNS.indexOf(column)];
      const where = (column: string): string => `thread_cut_points.${column}`;
      const event = (column: 'first' | 'remote' | 'second'): number =>
        index(cell(column), 0, total, where(column));
      const length = index(cell('events'), 0, total + 1, where('events'));
      const schedule = (column: 'schedule' | 'reduced'): Int32Array => {
        const events = new Int32Array(length);
        decodeColumn(blob(cell(column), where(column)), events, 0, length);
        if (events.some((each) => each < 0 || each >= total))
          throw corrupt(`${where(column)} leaves the trace`);
        return events;
      };
      return {
        pattern: oneOf(SHAPES, cell('pattern'), where('pattern')),
        entity: text(cell('entity'), where('entity')),
        first: event('first'),
        remote: event('remote'),
        second: event('second'),
        completes: cell('completes') === 1,
        alike: int(cell('alike'), where('alike')),
        rank: real(cell('rank'), where('rank')),
        reasons: json(reasonsSchema, cell('reasons'), where('reasons')),
        observed: index(cell('observed'), 0, total + 1, where('observed')),
        schedule: schedule('schedule'),
        reduced: schedule('reduced'),
        switches: {
          before: int(cell('switches_before'), where('switches_before')),
          after: int(cell('switches_after'), where('switches_after')),
        },
      };
    });
}
