/** Recorded runs: one per test; recording a test again replaces its trace and everything derived from it. */
import { z } from 'zod';
import type { Trace } from '../trace.ts';
import { blob, type Cell, corrupt, index, int, json, text } from './cells.ts';
import type { Connection } from './connection.ts';
import { StoreError } from './error.ts';
import { encodeEvents, getEvents, putChunks, strayEvent } from './events.ts';
import { strayLink } from './links.ts';
import { nameId } from './names.ts';
import { putRows } from './rows.ts';
import { getSites, putSites, type SiteMap, unpackSiteMap } from './sites.ts';
import { ACTIVATIONS, CONDITIONS, ENTITIES, JOBS, LOCKS, REQUESTS, type Table } from './trace-tables.ts';

const saturatedSchema = z.array(z.int());
const ungatedSchema = z.record(z.string(), z.number());

/** How large a trace is, without reading it. */
export interface TraceCounts {
  readonly events: number;
  readonly sites: number;
  readonly activations: number;
  readonly requests: number;
  readonly entities: number;
  readonly locks: number;
  readonly conditions: number;
  readonly jobs: number;
  readonly steps: number;
}
const COUNTS = [
  'events',
  'sites',
  'activations',
  'requests',
  'entities',
  'locks',
  'conditions',
  'jobs',
  'steps',
] as const;

/** Where a trace is in the store. */
export interface TraceRef {
  readonly id: number;
  readonly counts: TraceCounts;
  readonly sites: SiteMap;
}

export function putTrace(connection: Connection, test: string, trace: Trace, process: number | null): void {
  checkTrace(trace);
  const chunks = encodeEvents(trace.events);
  connection.write(() => {
    connection.kept.forgetTrace(test);
    for (const table of ['bugs', 'cut_points', 'schedules', 'traces'])
      connection.run(`DELETE FROM ${table} WHERE test = ?`, test);
    connection.run('UPDATE tests SET predicted = 0, finished = 0 WHERE id = ?', test);
    const sites = putSites(connection, trace.sites);
    const { id } = connection.run(
      `INSERT INTO traces (test, process, ${COUNTS.join(', ')}, site_map, saturated, ungated)
       VALUES (?, ?, ${COUNTS.map(() => '?').join(', ')}, ?, ?, ?)`,
      test,
      process,
      ...COUNTS.map((each) => trace[each].length),
      sites.packed,
      JSON.stringify(trace.saturated),
      JSON.stringify(trace.ungated),
    );
    putTable(connection, ACTIVATIONS, id, trace.activations, sites.map);
    putTable(connection, REQUESTS, id, trace.requests, sites.map);
    putTable(connection, ENTITIES, id, trace.entities, sites.map);
    putTable(connection, LOCKS, id, trace.locks, sites.map);
    putTable(connection, CONDITIONS, id, trace.conditions, sites.map);
    putTable(connection, JOBS, id, trace.jobs, sites.map);
    for (const [at, step] of trace.steps.entries())
      connection.run(
        'INSERT INTO steps (trace, idx, name) VALUES (?, ?, ?)',
        id,
        at,
        nameId(connection, step),
      );
    putChunks(connection, id, chunks);
  });
}

/** Ids are indices, and events point into the tables: a trace that breaks this is the recorder's mistake. */
function checkTrace(trace: Trace): void {
  for (const table of ['activations', 'requests', 'entities', 'locks', 'jobs'] as const)
    for (const [at, { id }] of trace[table].entries())
      if (id !== at) throw new StoreError('invalid', `trace: ${table}[${at}] has the id ${id}`);
  const stray = strayEvent(trace.events, trace);
  if (stray) throw new StoreError('invalid', `trace: ${stray}`);
}

export function traceRef(connection: Connection, test: string): TraceRef | null {
  const row = connection.row(`SELECT id, site_map, ${COUNTS.join(', ')} FROM traces WHERE test = ?`, test);
  if (!row) return null;
  const counts = Object.fromEntries(
    COUNTS.map((each, at) => [each, index(row[2 + at], 0, Number.MAX_SAFE_INTEGER, `traces.${each}`)]),
  ) as unknown as TraceCounts;
  const sites = unpackSiteMap(blob(row[1], 'traces.site_map'), counts.sites);
  return { id: int(row[0], 'traces.id'), counts, sites };
}

export function getTrace(connection: Connection, test: string): Trace | null {
  const kept = connection.kept.traceOf(test);
  if (kept) return kept;
  const trace = readTrace(connection, test);
  if (trace) connection.kept.keepTrace(test, trace);
  return trace;
}

function readTrace(connection: Connection, test: string): Trace | null {
  const ref = traceRef(connection, test);
  if (!ref) return null;
  const { id, counts, sites } = ref;
  const row = connection.row('SELECT saturated, ungated FROM traces WHERE id = ?', id) as Cell[];
  const trace: Trace = {
    events: getEvents(connection, id, 0, counts.events),
    sites: getSites(connection, sites),
    activations: getTable(connection, ACTIVATIONS, id, counts.activations, sites),
    requests: getTable(connection, REQUESTS, id, counts.requests, sites),
    entities: getTable(connection, ENTITIES, id, counts.entities, sites),
    locks: getTable(connection, LOCKS, id, counts.locks, sites),
    conditions: getTable(connection, CONDITIONS, id, counts.conditions, sites),
    jobs: getTable(connection, JOBS, id, counts.jobs, sites),
    steps: stepsOf(connection, id, counts.steps),
    saturated: json(saturatedSchema, row[0], 'traces.saturated'),
    ungated: json(ungatedSchema, row[1], 'traces.ungated'),
  };
  const stray = strayEvent(trace.events, trace) ?? strayLink(trace);
  if (stray) throw corrupt(stray);
  return trace;
}

function stepsOf(connection: Connection, trace: number, count: number): string[] {
  const steps = connection
    .prepare(
      'SELECT n.name FROM steps s LEFT JOIN step_names n ON n.id = s.name WHERE trace = ? ORDER BY idx',
    )
    .pluck()
    .all(trace) as Cell[];
  if (steps.length !== count) throw corrupt('steps are missing');
  return steps.map((step) => text(step, 'step_names.name'));
}

// Parts of a trace, for those who look into the traces of all tests for one thing.

export function getSteps(connection: Connection, test: string): string[] | null {
  const row = connection.row('SELECT id, steps FROM traces WHERE test = ?', test);
  return row ? stepsOf(connection, int(row[0], 'traces.id'), int(row[1], 'traces.steps')) : null;
}

export function getUngated(connection: Connection, test: string): Trace['ungated'] | null {
  const row = connection.row('SELECT ungated FROM traces WHERE test = ?', test);
  return row ? json(ungatedSchema, row[0], 'traces.ungated') : null;
}

/** Names of the files, ports and the like that a test touched. */
export function getResources(connection: Connection, test: string): string[] {
  return connection
    .rows(
      "SELECT name FROM entities WHERE trace = (SELECT id FROM traces WHERE test = ?) AND kind = 'resource' ORDER BY idx",
      test,
    )
    .map(([name]) => text(name, 'entities.name'));
}

function putTable<T>(
  connection: Connection,
  table: Table<T>,
  trace: number,
  items: readonly T[],
  sites: SiteMap,
): void {
  const insert = connection.prepare(
    `INSERT INTO ${table.name} (trace, idx, ${table.columns.join(', ')})
     VALUES (?, ?, ${table.columns.map(() => '?').join(', ')})`,
  );
  for (const [at, item] of items.entries()) insert.run(trace, at, ...table.write(item, sites));
}

function getTable<T>(
  connection: Connection,
  table: Table<T>,
  trace: number,
  count: number,
  sites: SiteMap,
): T[] {
  const rows = connection.rows(
    `SELECT idx, ${table.columns.join(', ')} FROM ${table.name} WHERE trace = ? ORDER BY idx`,
    trace,
  );
  if (rows.length !== count) throw corrupt(`${table.name} has ${rows.length} of ${count} rows`);
  return rows.map((row, at) => {
    if (row[0] !== at) throw corrupt(`${table.name} has no row ${at}`);
    return table.read(row.slice(1), at, sites);
  });
}

/** Writes every event of a test's trace as a row; returns how many there are. */
export function exportRows(connection: Connection, test: string): number {
  return connection.write(() => {
    const ref = traceRef(connection, test);
    if (!ref) throw new StoreError('invalid', `no trace of test ${test}`);
    putRows(connection, ref.id, ref.sites, [[0, ref.counts.events]]);
    connection.run('UPDATE traces SET all_rows = 1 WHERE id = ?', ref.id);
    return ref.counts.events;
  });
}
