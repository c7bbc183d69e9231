/** `unweave replay <exported order>`: forces it without a store. */
import { existsSync } from 'node:fs';
import type { HeldStep } from '../../data/held-step.ts';
import { errorLine } from '../../report/phrase.ts';
import type { ReplayRun, ReplayView } from '../../report/replay.ts';
import { withEndless } from '../../rescheduler/investigate/endless.ts';
import { openSubject } from '../../rescheduler/subjects/open.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { UsageError } from '../errors.ts';
import type { RunOptions } from '../options.ts';
import { readOrderFile } from './order-file.ts';
import { replayRunOf } from './replay.ts';

export async function replayFile(
  name: string,
  options: RunOptions,
  signal: AbortSignal,
): Promise<ReplayView> {
  if (options.break) throw new UsageError(`${name}: --break is not there for orders without their store`);
  const { bug, source, config, late, limits, steps, test } = readOrderFile(name, options.cwd);
  if (source.kind === 'threads' || source.kind === 'program')
    throw new UsageError(`${name}: an order of threads, which cannot be forced without a store`);
  if (!existsSync(source.file)) throw new UsageError(`${name}: its test ${test} is not there any more`);
  // The Node that is here.
  const here =
    'recipe' in source ? { ...source, recipe: { ...source.recipe, execPath: process.execPath } } : source;
  const subject = openSubject(here, config);
  // Calls that overlap are compared with the same calls one behind the other.
  subject.observeSerially?.();
  const toldOf = subject.tellOutcomes?.();
  const execution = { limits, signal, verbose: options.verbose };
  const schedule = { id: bug, cutPoint: null, steps, moves: 0, switches: 0, stallMs: 0 };
  const runs: ReplayRun[] = [];
  try {
    for (let i = 0; i < options.times && !signal.aborted; i++) {
      const result = withEndless(
        await subject.executeFresh({ kind: 'directed', schedule, cutPoint: null }, execution),
      );
      const ran = await elseHeld(replayRunOf(result), subject, late, execution);
      const told = toldOf?.();
      const run = told ? { ...ran, told } : ran;
      runs.push(hasFailed(run) ? { ...run, detail: await controlled(subject, run.detail, execution) } : run);
    }
  } finally {
    await subject.close();
  }
  return { id: bug, runs, witness: null, bug: null };
}

/**
 * A program that takes other steps by now is asked for what the order comes to: what was late is late until what overtook it has
 * come, or cannot come any more.
 */
async function elseHeld(
  run: ReplayRun,
  subject: Subject,
  late: readonly HeldStep[],
  execution: Parameters<Subject['executeFresh']>[1],
): Promise<ReplayRun> {
  if (run.outcome !== 'diverged' || late.length === 0) return run;
  const held = replayRunOf(withEndless(await subject.executeFresh({ kind: 'held', steps: late }, execution)));
  return held.outcome === 'diverged' || held.outcome === 'unknown' ? run : held;
}

const hasFailed = ({ outcome }: ReplayRun): boolean => outcome === 'failed' || outcome === 'deadlock';

/** A test that fails in its natural order, too, says nothing of this one. */
async function controlled(
  subject: Subject,
  detail: string | null,
  execution: Parameters<Subject['executeFresh']>[1],
): Promise<string | null> {
  const { outcome, failure } = await subject.executeFresh({ kind: 'observed' }, execution);
  if (outcome === 'pass') return detail;
  return `${detail}; it does not pass in its natural order either: ${failure ? errorLine(failure) : outcome}`;
}
