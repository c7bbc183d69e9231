/** A test whose observed order is another one than the natural one, which fails. */
import type { StrategySpec } from '../../data/run.ts';
import { forced } from '../investigate/counterfactual.ts';
import { overriding } from './overriding.ts';
import type { Subject } from './protocol.ts';

/** The same test: where it is to take the observed order it takes these steps. */
export function withReference(subject: Subject, steps: readonly string[]): Subject {
  const instead = (spec: StrategySpec): StrategySpec => (spec.kind === 'observed' ? forced(steps) : spec);
  const own: Pick<Subject, 'execute' | 'executeFresh' | 'record'> = {
    execute: (spec, options) => subject.execute(instead(spec), options),
    executeFresh: (spec, options) => subject.executeFresh(instead(spec), options),
    record: (options, spec = { kind: 'observed' }) => subject.record(options, instead(spec)),
  };
  return overriding(subject, own);
}
