/** A test that runs within limits of its own. */
import type { RunLimits } from '../../data/run.ts';
import { overriding } from './overriding.ts';
import type { ExecuteOptions, Subject } from './protocol.ts';

/** The same test, run so from now on. */
export function withLimits(subject: Subject, own: Partial<RunLimits>): Subject {
  const so = (options: ExecuteOptions): ExecuteOptions => ({
    ...options,
    limits: { ...options.limits, ...own },
  });
  const { recordWarm, lookInto } = subject;
  return overriding(subject, {
    executePlain: (plan, options) => subject.executePlain(plan, so(options)),
    execute: (spec, options) => subject.execute(spec, so(options)),
    executeFresh: (spec, options) => subject.executeFresh(spec, so(options)),
    record: (options, spec) => subject.record(so(options), spec),
    ...(recordWarm && { recordWarm: (options, spec) => recordWarm.call(subject, so(options), spec) }),
    ...(lookInto && { lookInto: (packages) => withLimits(lookInto.call(subject, packages), own) }),
  });
}
