/** What a failure depends on: what the statement that threw looks at, by itself or in what it calls. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distances, sliceOf } from '../../predictor/depends.ts';
import { TraceBuilder } from './trace-builder.ts';

const TEST = 'list.test.ts';

/** The body reads a getter, and asserts with another one; a flag is touched elsewhere. */
function checked(calls: 'getter' | 'function') {
  const b = new TraceBuilder();
  const type = b.activation('type', 'async');
  b.begin(type);
  for (const field of ['List#flag', 'List#items', 'List#title']) b.write(field);
  b.begin(0);
  const own = (field: string, place: string) => {
    b.file = TEST;
    b.read(field, place);
    b.file = 'a.ts';
  };
  own('List#head', 'first line');
  b.read('List#title', 'head getter');
  own('List#view', 'second line');
  if (calls === 'function') b.begin(b.activation('view', 'sync'));
  b.read('List#items', 'view getter');
  const trace = b.build();
  const threw = trace.sites.findLast(({ file }) => file === TEST)!;
  return distances(trace, `Error: x\n    at body (/home/${TEST}:${threw.line}:1)`, null);
}

describe('what a failure depends on', () => {
  for (const calls of ['getter', 'function'] as const)
    it(`is what a ${calls} reads that the line calls, before what others of the body do`, () => {
      const far = checked(calls);
      assert.equal(far.get('List#items'), 0);
      assert.equal(far.get('List#title'), 2);
      assert.equal(far.get('List#flag'), undefined);
    });

  it('is what the body looked at before, where nobody wrote the value that it asserts', () => {
    const b = new TraceBuilder();
    const [one, two] = [b.activation('load'), b.activation('refresh')];
    b.begin(one);
    const kept = b.write('Loader#flight');
    b.begin(two);
    const dropped = b.write('Loader#flight');
    b.begin(0);
    b.file = TEST;
    const looked = b.read('Loader#flight');
    const read = b.issue('pool', 'read');
    b.effect(read);
    b.begin(0, b.deliver(read));
    b.read('Object#version', 'assertion');
    const trace = b.build();
    const stack = `Error: x\n    at body (/home/${TEST}:${trace.sites.at(-1)!.line}:1)`;
    const { distances: far, hops } = sliceOf(trace, stack, null);
    assert.equal(far.get('Loader#flight'), 2);
    assert.deepEqual(
      [looked, dropped, kept].map((event) => hops.get(event)),
      [0, 0, undefined],
    );
  });
});
