/** Which triples explain a failure, read off the run that failed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CutPoint } from '../../../data/prediction.ts';
import { explanations } from '../../../predictor/explain.ts';
import { pointsOf } from '../../../rescheduler/explain/points.ts';
import { plainFailure } from '../../../rescheduler/failure.ts';
import { withoutAnswer } from '../../../rescheduler/subjects/no-answer.ts';
import { TraceBuilder } from '../../predictor/trace-builder.ts';

const TEST = 'loader.test.ts';

/** Two loads of one key are under way at once; the first one takes away the flight that is the second one's, before the body looks. */
function failing() {
  const b = new TraceBuilder();
  const [one, two] = [b.activation('get'), b.activation('refresh')];
  b.begin(one);
  b.write('Loader#flight', 'set');
  b.begin(two);
  b.write('Loader#flight', 'set');
  const answer = b.issue('pool', 'answer');
  b.effect(answer);
  b.begin(one, b.deliver(answer));
  b.read('Loader#flight', 'guard');
  b.write('Loader#flight', 'drop');
  b.begin(0);
  b.file = TEST;
  b.read('Loader#flight', 'look');
  return b.build();
}

const trace = failing();
const natural = new TraceBuilder().build();
const looked = trace.sites.findLast(({ file }) => file === TEST)!;
const failure = {
  ...plainFailure('assertion', 'AssertionError', 'x'),
  stack: `AssertionError: x\n    at body (/home/${TEST}:${looked.line}:1)`,
};
const finding = (variants: readonly CutPoint[] = []) =>
  ({ cutPoint: null, variants, result: withoutAnswer('fail', failure, 1) }) as unknown as Parameters<
    typeof pointsOf
  >[0];

test('of triples on one entity the one leads that did the harm, though another one ranks before it', () => {
  const [ranked] = explanations(trace, natural);
  const [led] = pointsOf(finding(), [], natural, trace);
  assert.deepEqual([ranked?.pattern, led?.pattern], ['WWR', 'WWW']);
});

test('triples of other orders do not stand for what an order shows', () => {
  const [point] = explanations(trace, natural);
  const other = [{ ...point!, id: 'other' }];
  assert.deepEqual(pointsOf(finding(other), [], natural, natural), []);
  // Where nothing is known of the order they are all that there is.
  assert.deepEqual(
    pointsOf(finding(other), [], natural, null).map(({ id }) => id),
    ['other'],
  );
});

test('of a port that many connect to no triple tells, where the error does not name it', () => {
  const b = new TraceBuilder();
  const [one, two] = [b.activation('post'), b.activation('post')];
  b.begin(one);
  b.read('port 8003', 'connects');
  b.begin(two);
  b.write('port 8003', 'closes');
  const answer = b.issue('pool', 'answer');
  b.effect(answer);
  b.begin(one, b.deliver(answer));
  b.read('port 8003', 'connects again');
  const both = b.build();
  const points = (message: string) => {
    const result = withoutAnswer('fail', plainFailure('exception', 'Error', message), 1);
    const failed = { cutPoint: null, variants: [], result } as unknown as Parameters<typeof pointsOf>[0];
    return pointsOf(failed, [], natural, both).map(({ entity }) => entity);
  };
  assert.deepEqual(points('expected /a, got /b'), []);
  assert.ok(points('listen EADDRINUSE: address already in use :::8003').includes('port 8003'));
});

test('what nobody looks at explains nothing, also where there was no time to record the order that fails', () => {
  const [wanted] = explanations(trace, natural);
  const told = (seen: typeof trace) =>
    pointsOf({ ...finding(), cutPoint: wanted! }, [], seen, null).map(({ entity }) => entity);
  const b = new TraceBuilder();
  b.begin(b.activation('get'));
  b.write('Loader#flight', 'set');
  assert.deepEqual(told(trace), ['Loader#flight']);
  assert.deepEqual(told(b.build()), []);
});
