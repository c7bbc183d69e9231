/** The trace store: every stage reads from it what the stage before has written, and can be killed in between. */

import process from 'node:process';
import type { CutPoint, Origin, Schedule } from '../prediction.ts';
import type { Report } from '../report.ts';
import type { ThreadCutPoint } from '../threads/cut-point.ts';
import type { EventColumns, Trace } from '../trace.ts';
import type { Verdict } from '../verdicts.ts';
import { type Bug, getBug, getBugs, putBug } from './bugs.ts';
import type { Connection } from './connection.ts';
import { getCutPoints, putCutPoints } from './cut-points.ts';
import { StoreError } from './error.ts';
import { getEvents } from './events.ts';
import { getNote, type Meta, putMeta } from './origin.ts';
import { getRuns, putRun, type Run, type StoredRun } from './runs.ts';
import { findSchedules, getSchedules, planRun, putSchedule, type StoredSchedule } from './schedules.ts';
import { addTiming, buildReport, type Timed } from './summary.ts';
import {
  getTest,
  listTests,
  type NewTest,
  putTest,
  type Stage,
  type TestChanges,
  type TestRecord,
  TO_DO,
  updateTest,
} from './tests.ts';
import { getThreadCutPoints, putThreadCutPoints } from './thread-cut-points.ts';
import {
  getThreadTrace,
  putThreadTrace,
  type StoredThreadTrace,
  type ThreadTraceSource,
  threadTraceNames,
} from './thread-traces.ts';
import {
  exportRows,
  getResources,
  getSteps,
  getTrace,
  getUngated,
  putTrace,
  type TraceCounts,
  traceRef,
} from './traces.ts';
import { type Judgement, setVerdict } from './verdicts.ts';

/** Each method is one transaction; every failure is a {@link StoreError}. Made by `openStore`. */
export class Store {
  /** This user made this file: the command that it names may be run. */
  readonly trusted: boolean;
  private readonly connection: Connection;
  private origin: Meta;
  private processId: number | null = null;

  constructor(connection: Connection, meta: Meta, trusted: boolean) {
    this.connection = connection;
    this.origin = meta;
    this.trusted = trusted;
  }

  /** As the user gave it. */
  get path(): string {
    return this.connection.path;
  }

  get meta(): Meta {
    return this.origin;
  }

  /** Records the test command of this analysis. */
  setCommand(command: readonly string[] | null): void {
    this.connection.write(() => putMeta(this.connection, 'command', command));
    this.origin = { ...this.origin, command: command && [...command] };
  }

  /** Keeps a value of a command's own under a name. */
  note(key: string, value: unknown): void {
    this.connection.write(() => putMeta(this.connection, key, value));
  }

  /** What was kept under a name; undefined: nothing. To be checked: the file may come from anybody. */
  noted(key: string): unknown {
    return this.connection.read(() => getNote(this.connection, key));
  }

  /** Tells the store who writes; traces put afterwards name this process. */
  beginProcess(role: string, argv: readonly string[] = process.argv.slice(1)): number {
    return this.connection.write(() => {
      const { id } = this.connection.run(
        'INSERT INTO processes (pid, role, argv, node) VALUES (?, ?, ?, ?)',
        process.pid,
        role,
        JSON.stringify(argv),
        process.version,
      );
      this.processId = id;
      return id;
    });
  }

  /** Several calls as one transaction: after a kill, all of them or none. */
  atomically<T>(work: () => T): T {
    return this.connection.write(work);
  }

  /** After a kill the writes within may be missing that came last; each is one transaction all the same. */
  inGroups<T>(work: () => Promise<T>): Promise<T> {
    return this.connection.inGroups(work);
  }

  // Tests.

  putTest(test: NewTest): void {
    this.putTests([test]);
  }

  putTests(tests: readonly NewTest[]): void {
    this.connection.write(() => {
      for (const test of tests) putTest(this.connection, test);
    });
  }

  updateTest(testId: string, changes: TestChanges): void {
    this.connection.write(() => updateTest(this.connection, testId, changes));
  }

  getTest(testId: string): TestRecord | null {
    return this.connection.read(() => getTest(this.connection, testId));
  }

  tests(): TestRecord[] {
    return this.connection.read(() => listTests(this.connection));
  }

  /** The tests that a stage still has to do: where an earlier command was killed, or has not been. */
  testsToDo(stage: Stage): TestRecord[] {
    return this.connection.read(() => listTests(this.connection, TO_DO[stage]));
  }

  /** Forgets a test with all that is known of it. */
  removeTest(testId: string): void {
    this.connection.write(() => {
      this.connection.kept.forgetTrace(testId);
      this.connection.run('DELETE FROM tests WHERE id = ?', testId);
      this.connection.run('DELETE FROM thread_traces WHERE name = ?', testId);
    });
  }

  /** Writes a copy of all of it to a file that is not there yet. */
  copyTo(file: string): void {
    this.connection.db.prepare('VACUUM INTO ?').run(file);
  }

  /** Takes over from a copy of this store what was found out there about a test. */
  take(testId: string, other: Store): void {
    const test = other.getTest(testId);
    if (!test) throw new StoreError('invalid', `unknown test ${testId}`);
    this.connection.write(() => {
      for (const { schedule, origin, seed } of other.schedules(testId))
        putSchedule(this.connection, testId, schedule, origin, seed);
      for (const run of other.runs(testId)) putRun(this.connection, testId, run);
      for (const { schedule, verdict, note } of other.schedules(testId))
        if (verdict !== null) setVerdict(this.connection, testId, schedule.id, { verdict, note });
      for (const bug of other.bugs(testId)) putBug(this.connection, bug);
      updateTest(this.connection, testId, test);
    });
  }

  /** Forgets the whole analysis; who made the store, and for which command, stays. */
  clear(): void {
    this.connection.write(() => {
      for (const table of ['tests', 'thread_traces', 'processes', 'timings', 'sites', 'step_names'])
        this.connection.run(`DELETE FROM ${table}`);
      this.connection.kept.forgetAll();
      this.processId = null;
    });
  }

  // Traces.

  /** Stores the observed run of a test; replaces an earlier one and all that was derived from it. */
  putTrace(testId: string, trace: Trace): void {
    putTrace(this.connection, testId, trace, this.processId);
  }

  getTrace(testId: string): Trace | null {
    return this.connection.read(() => getTrace(this.connection, testId));
  }

  /** The steps of the observed run. */
  getSteps(testId: string): string[] | null {
    return this.connection.read(() => getSteps(this.connection, testId));
  }

  /** What of the observed run was not under the gate. */
  getUngated(testId: string): Trace['ungated'] | null {
    return this.connection.read(() => getUngated(this.connection, testId));
  }

  /** Names of the files, ports and the like that the observed run touched. */
  getResources(testId: string): string[] {
    return this.connection.read(() => getResources(this.connection, testId));
  }

  traceCounts(testId: string): TraceCounts | null {
    return this.connection.read(() => traceRef(this.connection, testId)?.counts ?? null);
  }

  /** The events [from, to) of a test's trace; only what is needed is decoded. */
  getEvents(testId: string, from: number, to: number): EventColumns {
    return this.connection.read(() => {
      const ref = traceRef(this.connection, testId);
      if (!ref) throw new StoreError('invalid', `no trace of test ${testId}`);
      const start = Math.max(0, Math.min(from, ref.counts.events));
      return getEvents(this.connection, ref.id, start, Math.max(start, Math.min(to, ref.counts.events)));
    });
  }

  /** Writes every event of a test's trace into `events_rows`, for the view `events`; returns their number. */
  exportRows(testId: string): number {
    return exportRows(this.connection, testId);
  }

  // Traces of threads.

  /** Stores a trace under a name; replaces an earlier one and all that was derived from it. */
  putThreadTrace(name: string, source: ThreadTraceSource): void {
    putThreadTrace(this.connection, name, source);
  }

  threadTraceNames(): string[] {
    return this.connection.read(() => threadTraceNames(this.connection));
  }

  getThreadTrace(name: string): StoredThreadTrace | null {
    return this.connection.read(() => getThreadTrace(this.connection, name));
  }

  putThreadCutPoints(name: string, cutPoints: readonly ThreadCutPoint[]): void {
    putThreadCutPoints(this.connection, name, cutPoints);
  }

  getThreadCutPoints(name: string): ThreadCutPoint[] {
    return this.connection.read(() => getThreadCutPoints(this.connection, name));
  }

  // Prediction.

  /** Replaces the cut points of a test, with their windows of events, and marks the test predicted. */
  putCutPoints(testId: string, cutPoints: readonly CutPoint[]): void {
    putCutPoints(this.connection, testId, cutPoints);
  }

  getCutPoints(testId: string): CutPoint[] {
    return this.connection.read(() => getCutPoints(this.connection, testId));
  }

  /** Stores schedules; known ids are left as they are, with their runs and verdicts. */
  putSchedules(testId: string, schedules: readonly Schedule[], origin: Origin = 'directed'): void {
    this.connection.write(() => {
      for (const schedule of schedules) putSchedule(this.connection, testId, schedule, origin, null);
    });
  }

  /** The schedules of a test, best first. */
  schedules(testId: string): StoredSchedule[] {
    return this.connection.read(() => getSchedules(this.connection, testId, false));
  }

  /** The schedules without a verdict, best first; `interrupted` ones were running when their process died. */
  pendingSchedules(testId: string): StoredSchedule[] {
    return this.connection.read(() => getSchedules(this.connection, testId, true));
  }

  /** The schedules of this id, of any test. */
  findSchedules(id: string): StoredSchedule[] {
    return this.connection.read(() => findSchedules(this.connection, id));
  }

  // Runs.

  /** Announces a run of a schedule, which is stored if it is new. Committed when this returns: run it then. */
  recordSchedulePlanned(
    testId: string,
    schedule: Schedule,
    origin: Origin = 'directed',
    seed: number | null = null,
  ): void {
    this.connection.write(() => {
      putSchedule(this.connection, testId, schedule, origin, seed);
      planRun(this.connection, testId, schedule.id);
    });
  }

  /** Stores what came of a run; returns its id. */
  recordRun(testId: string, run: Run): number {
    return this.connection.write(() => putRun(this.connection, testId, run));
  }

  /** The runs of a test; of one schedule if given, of the observed order if null. */
  runs(testId: string, schedule?: string | null): StoredRun[] {
    return this.connection.read(() => getRuns(this.connection, testId, schedule));
  }

  /** Judges a schedule; a later judgement replaces the earlier one. */
  setVerdict(testId: string, scheduleId: string, judgement: Verdict | Judgement): void {
    const full = typeof judgement === 'string' ? { verdict: judgement } : judgement;
    this.connection.write(() => setVerdict(this.connection, testId, scheduleId, full));
  }

  // Bugs and the report.

  putBug(bug: Bug): void {
    this.connection.write(() => putBug(this.connection, bug));
  }

  bugs(testId?: string): Bug[] {
    return this.connection.read(() => getBugs(this.connection, testId));
  }

  getBug(id: string): Bug | null {
    return this.connection.read(() => getBug(this.connection, id));
  }

  addTiming(stage: Timed, ms: number): void {
    this.connection.write(() => addTiming(this.connection, stage, ms));
  }

  /** What earlier commands took is not told with what the next one takes. */
  forgetTiming(): void {
    this.connection.write(() => this.connection.run('DELETE FROM timings'));
  }

  report(): Report {
    return this.connection.read(() => buildReport(this.connection));
  }

  close(): void {
    this.connection.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
