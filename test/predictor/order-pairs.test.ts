/** Two accesses alone that come in the other order: no triple of accesses tells of them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Trace } from '../../data/trace.ts';
import { predict } from '../../predictor/predict.ts';
import { TraceBuilder } from './trace-builder.ts';

type Access = 'read' | 'write' | 'count';

interface Visit {
  readonly task: string;
  readonly does: Access;
  readonly entity?: string;
  /** It is asked for only once this other one has done its part. */
  readonly behind?: string;
}

/** Each task asks for a file of its own, and accesses something once it is there. In the end the body looks at all. */
function visits(...all: readonly Visit[]): Trace {
  const b = new TraceBuilder();
  const tasks = all.map(({ task }) => b.activation(task));
  const requests = new Map<string, number>();
  const ask = (at: number): void => {
    requests.set(all[at]!.task, b.issue('pool', `root.${all[at]!.task}|fs.stat#1`));
  };
  all.forEach(({ behind }, at) => {
    if (behind !== undefined) return;
    b.begin(tasks[at]!);
    ask(at);
  });
  for (const [at, { task, does, entity = 'Gate#free' }] of all.entries()) {
    const request = requests.get(task)!;
    b.effect(request);
    b.begin(tasks[at]!, b.deliver(request));
    if (does !== 'write') b.read(entity, `${task}:1:1`);
    if (does !== 'read') b.write(entity, `${task}:1:1`);
    all.forEach(({ behind }, other) => {
      if (behind === task) ask(other);
    });
  }
  return b.build();
}

/** Orders of pairs, told by the tasks as they come. */
function turned(trace: Trace): string[] {
  const { reordered, schedules } = predict(trace);
  return schedules
    .filter(({ id }) => reordered.get(id)?.isPair)
    .map(({ steps }) =>
      steps
        .filter((s) => s[0] === 'D')
        .map((s) => /root\.(\w+)/.exec(s)?.[1])
        .join(' '),
    );
}

describe('two accesses change places', () => {
  const rows: Record<string, [readonly Visit[], readonly string[]]> = {
    'where one reads and one writes': [
      [
        { task: 'visitor', does: 'read' },
        { task: 'opener', does: 'write' },
      ],
      ['opener visitor'],
    ],
    'where both write, and somebody reads': [
      [
        { task: 'first', does: 'write' },
        { task: 'second', does: 'write' },
        { task: 'reader', does: 'read', behind: 'second' },
      ],
      ['second first', 'second reader first'],
    ],
    'whatever is asked for beside them': [
      [
        { task: 'visitor', does: 'read' },
        { task: 'other', does: 'read', entity: 'Other#x' },
        { task: 'opener', does: 'write', behind: 'other' },
      ],
      ['other opener visitor'],
    ],
    'but not where both read': [
      [
        { task: 'one', does: 'read' },
        { task: 'two', does: 'read' },
      ],
      [],
    ],
    'nor where both count on': [
      [
        { task: 'one', does: 'count' },
        { task: 'two', does: 'count' },
      ],
      [],
    ],
    'nor where nobody reads what both write': [
      [
        { task: 'one', does: 'write' },
        { task: 'two', does: 'write' },
      ],
      [],
    ],
    'nor where one is asked for behind the other': [
      [
        { task: 'visitor', does: 'read' },
        { task: 'opener', does: 'write', behind: 'visitor' },
      ],
      [],
    ],
  };
  for (const [name, [all, expected]] of Object.entries(rows))
    test(name, () => assert.deepEqual(turned(visits(...all)), expected));
});

test('a pair that a triple turns round has no order of its own', () => {
  const b = new TraceBuilder();
  const [writer, reader] = [b.activation('writer'), b.activation('reader')];
  b.begin(writer);
  b.write('Gate#free', 'a:1:1');
  const one = b.issue('pool', 'root.writer|fs.stat#1');
  b.begin(reader);
  const two = b.issue('pool', 'root.reader|fs.stat#1');
  for (const [task, request] of [
    [writer, one],
    [reader, two],
  ] as const) {
    b.effect(request);
    b.begin(task, b.deliver(request));
    if (task === writer) b.write('Gate#free', 'a:2:1');
    else b.read('Gate#free', 'b:1:1');
  }
  const trace = b.build();
  const { cutPoints } = predict(trace);
  assert.deepEqual(
    cutPoints.map(({ pattern }) => pattern),
    ['WRW'],
  );
  assert.deepEqual(turned(trace), []);
});
