import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activation, Trace } from '../../data/trace.ts';
import { taskName } from '../../predictor/task-name.ts';
import { TraceBuilder } from './trace-builder.ts';

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
  return { activations, requests: [], sites: [], events: { length: 0 } } as unknown as Trace;
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

/** An activation that the answer to the latest request has called. */
function answered(b: TraceBuilder, api: string, parent: number): number {
  const cause = b.issue('timer', `${api}#${parent}`, 5, -1, api);
  const id = b.activation(api, 'callback', parent);
  Object.assign(b.build().activations[id]!, { cause });
  return id;
}

test('what an answer calls goes by its own name, and not by that of a function that is over', () => {
  const b = new TraceBuilder();
  const loads = ['load', 'load'].map((name) => {
    const load = b.activation(name, 'sync');
    b.begin(load);
    const timer = answered(b, 'setTimeout', load);
    const flush = b.activation('Loader.#flush', 'async', timer);
    return [load, timer, flush, b.activation('Loader@11:33', 'async', flush)];
  });
  const trace = b.build();
  assert.deepEqual(
    loads.map((ids) => ids.map((id) => taskName(trace, id))),
    [1, 2].map((n) => [`load #${n}`, `load #${n}`, `Loader.#flush #${n}`, `Loader.#flush #${n}`]),
  );
});

test('a callback that stands in the text of the function that asked for the answer goes by that', () => {
  const b = new TraceBuilder();
  const load = b.activation('load', 'sync');
  b.begin(load);
  const timer = answered(b, 'setTimeout', load);
  const inner = b.activation('setTimeout@3:7', 'async', timer);
  assert.deepEqual(
    [timer, inner].map((id) => taskName(b.build(), id)),
    ['load', 'load'],
  );
});

test('an answer that calls a function which is no activation goes by where that stands', () => {
  const b = new TraceBuilder();
  const load = b.activation('load', 'sync');
  b.begin(load);
  const timer = answered(b, 'setTimeout', load);
  b.begin(timer);
  b.write('Loader#queue');
  assert.equal(taskName(b.build(), timer), 'f');
});

test('a reaction does not go by what its own timer calls later', () => {
  const b = new TraceBuilder();
  const reaction = b.activation('then', 'callback');
  b.begin(reaction);
  b.activation('Loader.#flush', 'async', answered(b, 'setTimeout', reaction));
  assert.equal(taskName(b.build(), reaction), 'then');
});

test('a connection goes by the handler that its answers call, and what that calls does so, too', () => {
  const b = new TraceBuilder();
  b.begin(0);
  const connect = answered(b, 'net.connect', 0);
  b.begin(connect);
  const handle = b.activation('handle', 'async', answered(b, 'net.read', connect));
  const admit = b.activation('admit', 'async', handle);
  assert.deepEqual(
    [connect, handle, admit].map((id) => taskName(b.build(), id)),
    ['handle', 'handle', 'handle'],
  );
});
