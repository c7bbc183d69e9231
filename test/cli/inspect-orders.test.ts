/** `unweave inspect` shows every prediction of a store, also those that no cut point stands for. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from '../../cli/stages/inspect.ts';
import { openStore } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { predict } from '../../predictor/predict.ts';
import { inspectJson, renderInspect } from '../../report/inspect.ts';
import { makeStyle } from '../../report/style.ts';
import { newTest } from '../data/store/support.ts';
import { TraceBuilder } from '../predictor/trace-builder.ts';
import { emptyFolder } from './io.ts';

/** Bob looks whether there is a token when alice has long put one there; a time-out guards her request. */
function refresh(): Trace {
  const b = new TraceBuilder();
  const [alice, bob] = [b.activation('alice'), b.activation('bob')];
  b.begin(bob);
  const later = b.issue('timer', 'root.bob|setTimeout#1', 50);
  b.begin(alice);
  b.read('token', 'looks');
  b.issue('timer', 'root.alice|setTimeout#1', 100);
  const request = b.issue('pool', 'root.alice|fs.read#1');
  b.effect(request);
  b.begin(alice, b.deliver(request));
  b.write('token', 'puts');
  b.begin(bob, b.deliver(later));
  b.read('token', 'looks');
  return b.build();
}

/** A store that holds what was predicted of it. */
function stored() {
  const store = openStore(join(emptyFolder(), 'trace.db'), { create: true });
  const trace = refresh();
  store.putTest(newTest('a'));
  store.putTrace('a', trace);
  const prediction = predict(trace);
  store.putCutPoints('a', prediction.cutPoints);
  store.putSchedules('a', prediction.schedules);
  return { store, prediction };
}

test('a reordered pair and a time-out are listed with their two places, their schedule and why', () => {
  const { store, prediction } = stored();
  using _ = store;
  const view = inspect(store, [], {});
  assert.deepEqual(
    view.orders.map(({ id }) => id),
    prediction.schedules.map(({ id }) => id),
    'every schedule is told',
  );
  assert.deepEqual(
    [view.cutPoints, new Set(view.orders.map(({ kind }) => kind))],
    [[], new Set(['reordered pair', 'time-out'])],
  );
  const pair = view.orders.find(({ kind }) => kind === 'reordered pair')!;
  assert.deepEqual(
    [pair.entity, pair.first?.task, pair.first?.what, pair.second?.task, pair.second?.what],
    ['token', 'bob', 'reads token', 'alice', 'writes token'],
  );
  assert.ok(pair.first?.at && pair.second?.at && pair.steps.length > 0);
  assert.match(pair.why, /^bob looks while alice is between looking and changing/);
  const timeOut = view.orders.find(({ kind }) => kind === 'time-out')!;
  assert.match(`${timeOut.first?.what} before ${timeOut.second?.what}`, /timer .*before pool .*fs\.read/);
  assert.match(timeOut.why, /nobody waited for it|was set and cleared/);
});

test('they are counted, filtered by kind, and told one by one', () => {
  const { store } = stored();
  using _ = store;
  const { counts } = inspectJson(inspect(store, [], {})) as { counts: Record<string, number> };
  assert.equal(counts['cut point'], 0);
  assert.ok(counts['reordered pair']! > 0 && counts['time-out']! > 0);
  const context = { style: makeStyle(false, 100), read: () => null, cwd: '/' };
  const all = renderInspect(inspect(store, [], {}), context);
  assert.match(all, /reordered pair[\s\S]*orders? that no cut point stands for/);
  const pairs = inspect(store, ['reordered pair'], {});
  const one = renderInspect({ ...pairs, orders: pairs.orders.slice(0, 1) }, context);
  assert.match(one, /reordered pair on token[\s\S]*first `bob` reads token at[\s\S]*predicted: bob looks/);
});

test('an order for two variables names both', () => {
  const b = new TraceBuilder();
  const [mover, looker] = [b.activation('mover'), b.activation('looker')];
  b.begin(looker);
  const later = b.issue('timer', 'root.looker|setTimeout#1', 50);
  b.begin(mover);
  b.write('Bank#ann', 'takes');
  const journal = b.issue('pool', 'root.mover|fs.write#1');
  b.effect(journal);
  b.begin(mover, b.deliver(journal));
  b.write('Bank#bob', 'gives');
  b.begin(looker, b.deliver(later));
  b.read('Bank#ann', 'adds');
  b.read('Bank#bob', 'adds too');
  const store = openStore(join(emptyFolder(), 'trace.db'), { create: true });
  using _ = store;
  const trace = b.build();
  store.putTest(newTest('a'));
  store.putTrace('a', trace);
  store.putCutPoints('a', []);
  store.putSchedules('a', predict(trace).schedules);
  const { orders } = inspect(store, ['two variables'], {});
  assert.deepEqual(
    orders.map(({ why }) => why),
    [
      'mover writes Bank#ann and, in a later turn, writes Bank#bob; looker touches both between, where Bank#ann and Bank#bob may not agree',
    ],
  );
});
