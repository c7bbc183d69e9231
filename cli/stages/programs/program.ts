/** A program as stage 3 sees it, whether it is one event loop or several threads. */
import type { ReportBug } from '../../../data/report.ts';
import type { Assumptions } from '../../../data/run.ts';
import type { Orders } from '../../../rescheduler/investigate/attempt.ts';
import type { Executor, Finding } from '../../../rescheduler/investigate/investigate.ts';
import type { Subject } from '../../../rescheduler/subjects/protocol.ts';

export interface InvestigatedTest {
  readonly executor: Executor;
  readonly orders: Orders;
  /** What its runs may take for granted. */
  readonly assumed: Assumptions;
  /** See {@link Subject.most}. */
  readonly most?: Subject['most'];
  /** What was found of it by this command. */
  findings?(): number;
  /** Why each of its runs takes a process of its own; null: they share one. */
  unfit?(): string | null;
  /** Explains a failure at the moment when it was confirmed, and stores it as a bug. */
  found(finding: Finding): Promise<ReportBug['class']>;
  /** Explains all of them again: by now more orders have failed alike, or passed. */
  complete(): Promise<void>;
}
