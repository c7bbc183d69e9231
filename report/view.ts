/**
 * What the renderers need beyond the JSON report: source texts, readable steps, reasons.
 * The pipeline fills these from the store; nothing here reads the store itself.
 */
import type { Origin, Shape } from '../data/prediction.ts';
import type { ReportBug, ReportCall } from '../data/report.ts';
import type { Witness } from './witness.ts';

/** A name that people search for, and the sentence that applies it to this bug. */
export interface ShapeText {
  readonly name: string;
  readonly sentence: string;
  readonly hint: string;
}

/** Which of the three accesses of a pattern: e1, f, e2. */
export type Role = 'first' | 'remote' | 'second';

/** A place in the user's source. Line and column count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One of the three accesses. */
export interface AccessView extends Place {
  readonly access: 'read' | 'write';
  /** The task's name for people. */
  readonly task: string;
  /** Name of the enclosing function. */
  readonly fn: string;
  /** The source text of the access: `this.balance`. */
  readonly text: string;
  /** The calls that led there, innermost first; absent: not known. */
  readonly calledFrom?: readonly ReportCall[];
}

export interface CutPointView {
  readonly id: string;
  readonly pattern: Shape;
  readonly entity: string;
  readonly first: AccessView;
  readonly remote: AccessView;
  readonly second: AccessView;
  /** Of two variables that have to agree, the one that `second` is about, and the remote task's access to it. */
  readonly other?: { readonly entity: string; readonly remote: AccessView };
  /** Of threads: what the first and the second belong to, for people. */
  readonly transaction?: string;
}

/** What an access of a triple is about. */
export const entityOf = ({ entity, other }: CutPointView, role: Role): string =>
  role === 'second' ? (other?.entity ?? entity) : entity;

/** One line of an order: a host request taking effect, its answer arriving, or an access. */
export interface StepRow {
  /** Unique among the tasks of this order: `deposit`, `deposit #2`. */
  readonly task: string;
  /** `fs.readFile cart.json`, `this.balance`. */
  readonly what: string;
  readonly site: Place | null;
  readonly kind: 'effect' | 'deliver' | 'access';
  /** Set when this row is one of the three accesses. */
  readonly role?: Role;
  /** Its place among all rows of the run, from 0; absent: not known. */
  readonly at?: number;
  /** Equal for the same step in every order; absent: it has none. */
  readonly name?: string;
}

/** A request of the host in an order, by the places of rows: where the program was when it asked, and what came of it. */
export interface RequestSpan {
  readonly task: string;
  /** The row that was on when it was made; -1: before all. */
  readonly issued: number;
  readonly effect: number | null;
  readonly delivered: number | null;
}

/** A lock in an order: held from one row to another; null: to the end. */
export interface LockSpan {
  readonly task: string;
  readonly name: string;
  readonly from: number;
  readonly to: number | null;
}

/** An order for drawing: rows as far as they were kept, and what spans several of them. */
export interface OrderTimeline {
  readonly rows: readonly StepRow[];
  /** Of the run; more than `rows` where not all were kept. */
  readonly total: number;
  readonly requests: readonly RequestSpan[];
  readonly locks: readonly LockSpan[];
}

/** A host answer that has to be late. */
export interface LateAnswer {
  readonly api: string;
  readonly what: string;
  readonly ms: number;
  /** Of a timer: where it is set. */
  readonly at?: Place;
}

/** Everything that the report of one bug shows. */
export interface BugView {
  readonly bug: ReportBug;
  /** `test/a.test.ts › outer > inner`. */
  readonly testTitle: string;
  readonly cutPoint: CutPointView | null;
  /** The observed order, in which the test passes. */
  readonly natural: readonly StepRow[];
  /** The order in which it fails, in its minimal form. */
  readonly failing: readonly StepRow[];
  /** The failing order with its requests and locks; absent: it was not recorded for this report. */
  readonly timeline?: OrderTimeline;
  readonly late: readonly LateAnswer[];
  readonly error: { readonly name: string; readonly message: string; readonly stack: string };
  /** What plain Node says; absent where it was not asked. */
  readonly witness?: Witness | null;
  /** Set where the tasks are preemptive threads on shared memory. */
  readonly threads?: true;
  /** Which strategy met it first; only said when it was not the prediction. */
  readonly foundBy?: Origin | 'preemption';
}

/** Why a test's pairs of accesses are no bugs. */
export interface Silence {
  /** How many pairs (an access of one task between two of another) were looked at. */
  readonly pairs: number;
  /** How many of them were beyond the budget of prediction. */
  readonly left: number;
  /** Not all pairs of two variables were compared. */
  readonly isPairsCut?: boolean;
  /** Each a clause: `both hold Mutex@a.ts:3`, `one cannot begin before the other is over`. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
}

/** What the summary says of one test beyond its record in the JSON report. */
export interface TestNotes {
  readonly silence?: Silence;
  /** A budget ended the test: which, and how many predicted orders were not run. */
  readonly budget?: { readonly left: number; readonly limit: string };
  /** Why forced runs could not be judged: what the first of them said. */
  readonly unknown?: string;
  /** Of programs with workers: executions beside those that were predicted, and how many different orders they were. */
  readonly search?: { readonly tried: number; readonly orders: number };
  /** All orders with at most so many preemptions were executed: so many. */
  readonly bounded?: { readonly preemptions: number; readonly orders: number };
  /** Why the baseline is red or flaky, why nothing was seen, or what cut the analysis short: one line. */
  readonly reason?: string;
  /**
   * Of a test that fails here without any forcing: how it ends on plain Node, and what the difference may come from; null: nobody
   * knows, as the time was over, say.
   */
  readonly plain?: { readonly outcome: 'pass' | 'fail'; readonly cause: string } | null;
  /** Its natural order fails, and it was analysed from another one: what it says there, and how many runs on plain Node pass; null: it is compared with its calls one behind the other. */
  readonly natural?: { readonly error: string; readonly plain: string | null };
  /** What it said where its child processes asked before they touched files, though it passes otherwise, and what is no finding. */
  readonly asked?: string;
  /** Of a scenario, whose operations were overlapped and judged by their serial orders: its specification. */
  readonly spec?: string;
  /** Why outcomes of it are as they should be though no serial order gives them, as the user says, and how often. */
  readonly allowed?: readonly { readonly reason: string; readonly times: number }[];
  /** So many scenarios of the same operations were not forced, as one finding is enough of them. */
  readonly likewise?: number;
  /** Orders that were tried to find one that passes, without success. */
  readonly sought?: number;
  /** So many tests were not forced, as others stand for them. */
  readonly stoodFor?: number;
  /** So many tests were forced only until steps that may change places had. */
  readonly swapped?: number;
  /** `host:port` of servers in other processes that it talked to and that nobody allowed to be forced upon. */
  readonly peers?: readonly string[];
  /** Sources of the user's that ran without being looked into. */
  readonly unseen?: readonly string[];
  /** So many tests started threads that do not come to rest: nobody looked into these. */
  readonly restless?: number;
  /** So many tests pass only where what the CPU does takes time: they run as on a slow machine. */
  readonly slow?: number;
  /** So many tests pass only where their clock does not leap: they run at real pace. */
  readonly atRealPace?: number;
  /** So many tests have threads that touch nothing in common in the recorded run: few orders of their turns were tried. */
  readonly strangers?: number;
  /** Why each forced run of it took a process of its own. */
  readonly ownProcesses?: string;
  /** A confirmed failure that there was no time to classify. */
  readonly undecided?: string | undefined;
  /** Host activity that nothing holds, by api: how often. */
  readonly ungated?: Readonly<Record<string, number>>;
  /** Program points whose record budget ran out. */
  readonly saturated?: number;
}

/** The companion of a JSON report that the terminal report needs. */
export interface ReportViews {
  readonly bugs: readonly BugView[];
  /** By test id. */
  readonly tests: Readonly<Record<string, TestNotes>>;
  /** Set when the run ended before its work did: `interrupted`, `the total time of 300 s is over`. */
  readonly ended?: string;
  /** What holds for the whole run and limits it: one sentence. */
  readonly remark?: string;
  /** How a deeper search is started, and how many orders of one test it tries; only where this one was not deep. */
  readonly deeper?: { readonly command: string; readonly orders: number };
  /** What the user should know of how this is counted, a line each. */
  readonly notices?: readonly string[];
  /** What was looked into; only where a report asks for it. */
  readonly suite?: SuiteView;
}

/** State that more than one task of a test touches, over all tests. */
export interface EntityView {
  readonly name: string;
  readonly tests: readonly {
    readonly test: string;
    readonly tasks: readonly string[];
    readonly reads: number;
    readonly writes: number;
    /** Held at every access. */
    readonly locks: readonly string[];
  }[];
}

/** One prediction, whatever became of it. */
export interface PredictionView {
  /** Of a cut point, else of an order. */
  readonly id: string;
  /** `RWW`, `time-out`. */
  readonly kind: string;
  readonly test: string;
  readonly entity: string | null;
  readonly places: readonly { readonly task: string; readonly what: string; readonly at: string }[];
  readonly why: string;
  /** null: no order of its own was run. */
  readonly verdict: string | null;
}

/** What was looked into, over all tests. */
export interface SuiteView {
  /** Confirmed ones first. */
  readonly predictions: readonly PredictionView[];
  /** Left out here. */
  readonly morePredictions: number;
  /** Sources in which accesses were recorded. */
  readonly files: readonly string[];
  /** Those of most tests first. */
  readonly entities: readonly EntityView[];
  /** Shared ones that are left out here. */
  readonly moreEntities: number;
}
