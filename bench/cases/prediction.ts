/** Prediction on generated traces: events per second, how that scales, and abstract replays per second. */
import type * as Predict from '../../predictor/predict.ts';
import type * as Program from '../../predictor/program.ts';
import type * as Replay from '../../predictor/replay/replay.ts';
import { ours } from '../lib/ours.ts';
import { type Case, median } from '../lib/rows.ts';
import { generatedTrace } from '../lib/trace.ts';

const run: Case = async ({ rounds }) => {
  const { predict } = await ours<typeof Predict>('predictor/predict');
  const { buildProgram } = await ours<typeof Program>('predictor/program');
  const { replayObserved } = await ours<typeof Replay>('predictor/replay/replay');
  const small = generatedTrace(500);
  const large = generatedTrace(2000);
  const huge = generatedTrace(50_000);
  const tiny = generatedTrace(100);
  const program = buildProgram(tiny);
  const measures = {
    small: () => predict(small),
    large: () => predict(large),
    huge: () => predict(huge),
    replay: () => {
      for (let i = 0; i < 1000; i++) replayObserved(program);
    },
    build: () => {
      for (let i = 0; i < 1000; i++) buildProgram(tiny);
    },
  };
  const taken: Record<string, number[]> = { small: [], large: [], huge: [], replay: [], build: [] };
  for (let round = 0; round <= Math.ceil(rounds / 3); round++) {
    for (const [name, measure] of Object.entries(measures)) {
      const started = performance.now();
      measure();
      if (round > 0) taken[name]!.push(performance.now() - started);
    }
  }
  const rate = (name: keyof typeof measures, units: number) => (1000 * units) / median(taken[name]!);
  const perSecond = rate('small', small.events.length);
  return [
    {
      what: `prediction, ${small.events.length} events`,
      unit: 'events/s',
      ours: perSecond,
      peer: null,
      goal: null,
    },
    {
      what: `prediction, ${large.events.length} events`,
      unit: 'events/s',
      ours: rate('large', large.events.length),
      peer: { name: 'small trace', value: perSecond },
      goal: { atLeast: 0.5 },
    },
    {
      what: `prediction, ${huge.events.length} events`,
      unit: 'events/s',
      ours: rate('huge', huge.events.length),
      peer: { name: 'small trace', value: perSecond },
      goal: { atLeast: 0.5 },
    },
    {
      what: `abstract replay, ${tiny.steps.length} steps`,
      unit: 'replays/s',
      ours: rate('replay', 1000),
      peer: { name: 'reading the trace', value: rate('build', 1000) },
      goal: null,
    },
  ];
};

export default run;
