/** A scenario on plain Node. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScenarioRun } from '../../data/scenario.ts';
import type { PlainRun } from '../subjects/plain-run.ts';
import { Overlap } from './overlap.ts';
import type { PlannedScenario } from './plan.ts';
import { verdictOf } from './verdict.ts';

/** What is left behind the last call gets so long, ms. */
const REST_MS = 200;

export async function judgePlainly(
  plain: PlainRun,
  scenario: PlannedScenario,
  state: unknown,
  dir: string | null,
  asked: Extract<ScenarioRun, { kind: 'judged' }>,
): Promise<void> {
  const { isSerial, serial } = asked;
  const overlap = new Overlap(scenario, state, dir);
  const check = async (): Promise<void> => {
    await sleep(REST_MS);
    const { error } = verdictOf(scenario, overlap.executed(await overlap.outcome()), serial);
    if (error) throw error;
  };
  await plain.judge(() => overlap.start(isSerial ? 'serially' : scenario.start, null), check).catch(() => {});
}
