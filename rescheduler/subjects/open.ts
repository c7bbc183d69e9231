/** Subjects from what a store kept of them. */
import { loaderConfigOf, type SubjectConfig } from './config.ts';
import { HarnessSubject } from './harness.ts';
import { CaseSubject } from './node-test.ts';
import type { Subject } from './protocol.ts';
import { ScriptSubject } from './script.ts';
import { recipeOf, type TaskSource } from './source.ts';

/** The subject itself; nothing is run or looked for. */
export function openSubject(source: TaskSource, options: SubjectConfig): Subject {
  const config = loaderConfigOf(options);
  if (source.kind === 'harness') return new HarnessSubject(source.file, source.name, config);
  if (source.kind === 'script') return new ScriptSubject(recipeOf(source), config);
  const { file, name, ordinal } = source;
  return new CaseSubject({ file, name, ordinal }, recipeOf(source), config, null);
}
