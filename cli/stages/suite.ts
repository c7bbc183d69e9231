/** What was looked into, over all tests: sources, and the state that tasks share in the observed runs. */
import { EventKind, type Trace } from '../../data/trace.ts';
import { lockStates } from '../../predictor/locksets.ts';
import { taskName } from '../../predictor/task-name.ts';
import { transactions } from '../../predictor/transactions.ts';
import type { EntityView, SuiteView } from '../../report/view.ts';
import type { StageContext } from './context.ts';
import { predictionsOf } from './predictions.ts';

const MOST_ENTITIES = 300;
const MOST_PREDICTIONS = 500;
/** Names of tasks that are told of a test. */
const MOST_TASKS = 12;

/** What of a command is looked at. */
type LookedInto = Pick<StageContext, 'store' | 'options' | 'reordered'>;

type SharedIn = Omit<EntityView['tests'][number], 'test'>;

export function suiteOf(context: LookedInto, isOurs: (test: string) => boolean): SuiteView {
  const { store } = context;
  const files = new Set<string>();
  const shared = new Map<string, EntityView['tests'][number][]>();
  for (const { id } of store.tests().filter((test) => isOurs(test.id))) {
    const trace = store.getTrace(id);
    if (!trace) continue;
    for (const { file } of trace.sites) files.add(file);
    for (const [name, use] of sharedIn(trace))
      shared.set(name, [...(shared.get(name) ?? []), { test: id, ...use }]);
  }
  const entities = [...shared]
    .map(([name, tests]) => ({ name, tests }))
    .sort((a, b) => b.tests.length - a.tests.length || (a.name < b.name ? -1 : 1));
  const predictions = predictionsOf(context, isOurs);
  return {
    predictions: predictions.slice(0, MOST_PREDICTIONS),
    morePredictions: Math.max(0, predictions.length - MOST_PREDICTIONS),
    files: [...files].sort(),
    entities: entities.slice(0, MOST_ENTITIES),
    moreEntities: Math.max(0, entities.length - MOST_ENTITIES),
  };
}

/** State that more than one task touches and at least one writes, by name. */
export function sharedIn(trace: Trace): Map<string, SharedIn> {
  const { taskOf } = transactions(trace.activations);
  const locksAt = lockStates(trace, taskOf);
  const { events } = trace;
  const uses = new Map<
    number,
    { tasks: Map<number, number>; reads: number; writes: number; locks: Set<number> }
  >();
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    if (kind !== EventKind.Read && kind !== EventKind.Write) continue;
    const entity = events.object[i] as number;
    const activation = events.activation[i] as number;
    const held = new Set(locksAt(i).locks);
    const use = uses.get(entity) ?? { tasks: new Map(), reads: 0, writes: 0, locks: held };
    uses.set(entity, use);
    use.tasks.set(taskOf(activation), activation);
    use.locks = use.locks.intersection(held);
    if (kind === EventKind.Read) use.reads += 1;
    else use.writes += 1;
  }
  return new Map(
    [...uses].flatMap(([entity, { tasks, reads, writes, locks }]): [string, SharedIn][] => {
      const name = trace.entities[entity]?.name;
      if (name === undefined || tasks.size < 2 || writes === 0) return [];
      const names = [...new Set([...tasks.values()].slice(0, MOST_TASKS).map((of) => taskName(trace, of)))];
      const held = [...locks].flatMap((lock) => trace.locks[lock]?.name ?? []);
      return [[name, { tasks: names, reads, writes, locks: held }]];
    }),
  );
}
