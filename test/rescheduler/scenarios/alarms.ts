/** Overlaps the operations of a specification in this process and says which outcomes no serial order gives. */
import type { StrategySpec } from '../../../data/run.ts';
import type { CanonicalOutcome, SerialOutcome } from '../../../data/scenario.ts';
import type { Scenario } from '../../../harnesses/scenario.ts';
import { drawn } from '../../../rescheduler/scenarios/draw.ts';
import { Overlap } from '../../../rescheduler/scenarios/overlap.ts';
import { type PlannedScenario, planned } from '../../../rescheduler/scenarios/plan.ts';
import { ALL_ORACLE_RULES, type OracleRules } from '../../../rescheduler/scenarios/rules.ts';
import { restsOf, serialOrders } from '../../../rescheduler/scenarios/serial-orders.ts';
import { verdictOf } from '../../../rescheduler/scenarios/verdict.ts';
import { executeGated } from '../../../rescheduler/subjects/execution.ts';
import { Directories, limits } from '../gate/support.ts';

const ORDERS = 40;

/** What is said of each scenario that has an outcome of no serial order, in the natural order or in a random one. */
export async function alarms(spec: Scenario, without?: keyof OracleRules): Promise<string[]> {
  const rules = without ? { ...ALL_ORACLE_RULES, [without]: false } : ALL_ORACLE_RULES;
  const found: string[] = [];
  for (const scenario of planned(spec, drawn(spec, import.meta.filename))) {
    const said = await firstAlarm(scenario, rules);
    if (said !== null) found.push(said);
  }
  return found;
}

async function firstAlarm(scenario: PlannedScenario, rules: OracleRules): Promise<string | null> {
  const { spec, calls } = scenario;
  const refusable = calls.flatMap(({ operation }, at) => (spec.operations[operation]!.refuses ? [at] : []));
  const serial: SerialOutcome[] = [];
  for (const order of serialOrders(calls.length, rules.refusals ? refusable : [], scenario.sequel))
    for (const rests of rules.rests ? restsOf(order) : [[]]) {
      const samples = [];
      for (let sample = 0; sample < 2; sample++) {
        const { outcome } = await execution(scenario, rules, { kind: 'observed' }, { order, rests });
        if (outcome) samples.push(outcome);
      }
      if (samples.length > 0) serial.push({ order, rests, samples });
    }
  for (let seed = 0; seed <= ORDERS; seed++) {
    const how: StrategySpec = seed === 0 ? { kind: 'observed' } : { kind: 'random', seed };
    const { outcome, overlap } = await execution(scenario, rules, how, null);
    if (!outcome) throw new Error(`${scenario.name}: it fails in order ${seed}`);
    const { error } = verdictOf(scenario, overlap.executed(outcome), serial, rules);
    if (error) return `${scenario.name}: ${error.message}`;
  }
  return null;
}

const directories = new Directories();

/** `serial`: null: overlapping. */
async function execution(
  scenario: PlannedScenario,
  rules: OracleRules,
  spec: StrategySpec,
  serial: { readonly order: readonly number[]; readonly rests: readonly number[] } | null,
): Promise<{ outcome: CanonicalOutcome | null; overlap: Overlap }> {
  const dir = directories.fresh();
  const overlap = new Overlap(scenario, await scenario.spec.setup({ dir }), dir, rules);
  const { result } = await executeGated(
    () => (serial ? overlap.inOrder(serial.order, serial.rests, null) : overlap.start(scenario.start, null)),
    { spec, limits, wantChoices: false, record: false },
  );
  const isSettled = result.outcome === 'pass' || (result.outcome === 'deadlock' && serial === null);
  return { outcome: isSettled ? await overlap.outcome() : null, overlap };
}
