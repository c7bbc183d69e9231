/** What the command line needs of the pipeline. */
import type { Report } from '../data/report.ts';
import type { InspectView } from '../report/inspect.ts';
import type { ListView } from '../report/list.ts';
import type { ReplayView } from '../report/replay.ts';
import type { ExplainedView } from '../report/unexplained.ts';
import type { ReportViews } from '../report/view.ts';
import type { WantedCase } from './case.ts';
import type { RunOptions } from './options.ts';
import type { ExportView } from './stages/export.ts';

/** The answer of `run` and of each stage alone. */
export interface PipelineResult {
  readonly report: Report;
  readonly views: ReportViews;
  readonly exitCode: number;
  /** With `--list`: what would be run; then there is nothing else to print. */
  readonly list?: ListView;
  /** Of `explain`: what is told before the report. */
  readonly explained?: ExplainedView;
}

/** The functions behind the commands; `cli/pipeline.ts` implements them. */
export interface Pipeline {
  runPipeline(options: RunOptions, signal: AbortSignal): Promise<PipelineResult>;
  /** One test, as long as it takes. */
  explainCase(wanted: WantedCase, options: RunOptions, signal: AbortSignal): Promise<PipelineResult>;
  /** Records and predicts, and keeps what is left to do for those who share it. */
  planOnly(options: RunOptions, signal: AbortSignal): Promise<PipelineResult>;
  workOnly(options: RunOptions, signal: AbortSignal): Promise<PipelineResult>;
  mergeShards(files: readonly string[], isPartial: boolean, options: RunOptions): Promise<PipelineResult>;
  monitorOnly(options: RunOptions, signal: AbortSignal): Promise<PipelineResult>;
  predictOnly(options: RunOptions, signal: AbortSignal): Promise<PipelineResult>;
  rescheduleOnly(options: RunOptions, signal: AbortSignal): Promise<PipelineResult>;
  /** What the store holds; runs nothing. */
  reportStored(options: RunOptions, signal: AbortSignal): Promise<PipelineResult>;
  replayBug(id: string, options: RunOptions, signal: AbortSignal): Promise<ReplayView>;
  /** The same of an order that was exported. */
  replayOrder(file: string, options: RunOptions, signal: AbortSignal): Promise<ReplayView>;
  /** Writes a bug as a test; `out`: its file, null: beside the test that showed it. */
  exportBug(id: string, out: string | null, options: RunOptions, signal: AbortSignal): Promise<ExportView>;
  inspectStore(filters: readonly string[], options: RunOptions): Promise<InspectView>;
}
