import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activation, Trace } from '../../data/trace.ts';
import { taskName } from '../../predictor/task-name.ts';

let looks = 0;

/** A body that calls `deposit` so many times, by reactions without names of their own every other time. */
function called(times: number): Trace {
  const activations: Activation[] = [];
  const add = (name: string, kind: Activation['kind'], of: number): number => {
    const id = activations.length;
    activations.push({
      id,
      kind,
      joined: false,
      cause: -1,
      path: `${id}`,
      name,
      site: -1,
      atomic: null,
      get parent() {
        looks += 1;
        return of;
      },
    });
    return id;
  };
  add('root', 'root', -1);
  for (let n = 0; n < times; n++)
    if (n % 2 === 0) add('deposit', 'task', 0);
    else add('deposit', 'task', add('then', 'task', 0));
  return { activations, requests: [] } as unknown as Trace;
}

test('calls of one function are numbered, also those that only a reaction makes', () => {
  const trace = called(4);
  assert.deepEqual(
    trace.activations.map(({ id }) => taskName(trace, id)),
    ['test', 'deposit #1', 'deposit #2', 'deposit #2', 'deposit #3', 'deposit #4', 'deposit #4'],
  );
  assert.equal(taskName(called(1), 1), 'deposit');
});

test('naming all calls takes no more than a few looks at each of them', () => {
  const trace = called(3000);
  looks = 0;
  for (const { id } of trace.activations) taskName(trace, id);
  assert.ok(looks < 20 * trace.activations.length, `${looks / trace.activations.length} looks at each`);
});

test('what answers bring that bring one another is called, however many there are', () => {
  const trace = called(1);
  const { activations } = trace as unknown as { activations: Activation[] };
  const [root, deposit] = activations as [Activation, Activation];
  const requests = [{ api: 'setImmediate' }];
  const first = activations.length;
  for (let i = 0; i < 20_000; i++)
    activations.push({
      ...root,
      kind: 'task',
      name: 'setImmediate',
      cause: 0,
      id: first + i,
      parent: i === 0 ? 0 : first + i - 1,
    });
  activations.push({ ...deposit, name: 'withdraw', id: activations.length, parent: activations.length - 1 });
  assert.equal(taskName({ ...trace, activations, requests } as unknown as Trace, first), 'withdraw');
});
