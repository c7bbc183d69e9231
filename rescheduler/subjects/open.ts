/** Subjects from what a store kept of them. */
import { HeldSubject } from '../held/subject.ts';
import { ProgramSubject } from '../loops/subject.ts';
import { scenarioSubjects } from '../scenarios/subject.ts';
import { ThreadScenarioSubject } from '../scenarios/thread-subject.ts';
import type { ThreadedTest } from '../tokens/protocol.ts';
import { ThreadSubject } from '../tokens/subject.ts';
import { loaderConfigOf, type SubjectConfig } from './config.ts';
import { HarnessSubject } from './harness.ts';
import { CaseSubject } from './node-test.ts';
import type { Subject } from './protocol.ts';
import { ScriptSubject } from './script.ts';
import { recipeOf, type TaskSource, type ThreadSource } from './source.ts';
import { WarmPool } from './warm-pool.ts';

/** The same for tests of threads. */
export function openThreads(source: ThreadSource, options: SubjectConfig): ThreadedTest {
  const config = loaderConfigOf(options);
  if (source.kind === 'program') return ProgramSubject.open(source.of, config);
  return source.scenario
    ? new ThreadScenarioSubject(source.file, source.scenario, config)
    : new ThreadSubject(source.file, source.name, config);
}

/** The subject itself; nothing is run or looked for. */
export function openSubject(source: TaskSource, options: SubjectConfig): Subject {
  const config = loaderConfigOf(options);
  if (source.kind === 'harness') return new HarnessSubject(source.file, source.name, config);
  if (source.kind === 'scenario') return scenarioSubjects(source.file, [source], config)[0]!;
  if (source.kind === 'overlap') {
    const { file, name, ordinal, ...test } = source;
    const alone = { ...test, id: { file, name, ordinal }, recipe: recipeOf(source) };
    return new HeldSubject(alone, { ...config, overlaps: test.plan.kind }, new WarmPool());
  }
  if (source.kind === 'script') return new ScriptSubject(recipeOf(source), config);
  const { file, name, ordinal, kind } = source;
  return new CaseSubject(kind, { file, name, ordinal }, recipeOf(source), config, null);
}
