/** A scenario on plain Node. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScenarioRun } from '../../data/scenario.ts';
import type { PlainRun } from '../subjects/plain-run.ts';
import { judge } from './judge.ts';
import { Overlap } from './overlap.ts';
import type { PlannedScenario } from './plan.ts';
import { notSerializable } from './verdict.ts';

/** What is left behind the last call gets so long, ms. */
const REST_MS = 200;

export async function judgePlainly(
  plain: PlainRun,
  scenario: PlannedScenario,
  state: unknown,
  dir: string | null,
  asked: Extract<ScenarioRun, { kind: 'judged' }>,
): Promise<void> {
  const { spec, calls, start } = scenario;
  const { isSerial, serial } = asked;
  const overlap = new Overlap(scenario, state, dir);
  const check = async (): Promise<void> => {
    await sleep(REST_MS);
    const executed = overlap.executed(await overlap.outcome());
    const misfit = judge(executed, serial, spec, calls);
    const isAllowed = misfit !== null && (spec.allow?.(executed.outcome) ?? false) !== false;
    if (misfit && !isAllowed) throw notSerializable(executed, misfit, calls, serial);
  };
  await plain.judge(() => overlap.start(isSerial ? 'serially' : start, null), check).catch(() => {});
}
