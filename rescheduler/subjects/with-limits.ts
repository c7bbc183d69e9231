/** A test of which a child process asks before what it does with files also while no other one is beside it. */
import { overriding } from './overriding.ts';
import type { ExecuteOptions, Subject } from './protocol.ts';

/** The same test, run so from now on. What it runs on plain Node has nobody to ask. */
export function askingAlone(subject: Subject): Subject {
  const so = (options: ExecuteOptions): ExecuteOptions => ({
    ...options,
    limits: { ...options.limits, asksAlone: true },
  });
  const { recordWarm, lookInto } = subject;
  const own: Partial<Subject> = {
    execute: (spec, options) => subject.execute(spec, so(options)),
    executeFresh: (spec, options) => subject.executeFresh(spec, so(options)),
    record: (options, spec) => subject.record(so(options), spec),
    ...(recordWarm && { recordWarm: (options, spec) => recordWarm.call(subject, so(options), spec) }),
    ...(lookInto && { lookInto: (packages) => askingAlone(lookInto.call(subject, packages)) }),
  };
  return overriding(subject, own);
}
