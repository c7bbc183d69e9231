/** Calls of functions that the host or a library makes: those that leave nothing are not recorded. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EventKind } from '../../../data/trace.ts';
import { Recorder } from '../../../monitor/record/recorder.ts';
import { runtime } from '../../../monitor/runtime/index.ts';
import { rootFrame } from '../../../monitor/runtime/state.ts';
import { Directories } from '../../rescheduler/gate/support.ts';
import { recorded } from './recorded.ts';

const directories = new Directories();
after(() => directories.remove());

/** Runs `data` for each piece of a stream of 500. */
const streamOf = (before: string, data: string, after = '') =>
  recorded(
    `import { Readable } from 'node:stream';
export default async () => {
  ${before}
  await new Promise((over) => {
    let left = 500;
    const stream = new Readable({ read: function more() { this.push(left-- > 0 ? 'x' : null); } });
    stream.on('data', function data(piece) { ${data} }).on('end', over);
  });
  ${after}
};`,
    directories,
  );

const callsOf = async (trace: ReturnType<typeof streamOf>, fn: string) =>
  (await trace).activations.filter(({ name }) => name.endsWith(fn)).length;

test('thousands of calls that do nothing are not kept, nor what they were to follow from', async () => {
  const trace = await streamOf('', '');
  assert.equal(await callsOf(Promise.resolve(trace), 'data'), 0);
  assert.ok(trace.activations.length < 10, `${trace.activations.length} activations`);
  assert.ok(trace.jobs.length < 10, `${trace.jobs.length} jobs`);
  assert.ok(trace.conditions.length < 20, `${trace.conditions.length} conditions`);
});

const KEPT: [what: string, before: string, data: string, after?: string][] = [
  ['touches shared state', 'const seen = { count: 0 };', 'seen.count++;'],
  ['asks the host for something', '', 'setImmediate(() => {});'],
  [
    'settles what another task awaits',
    'const first = Promise.withResolvers(); const other = (async () => { await first.promise; })();',
    'first.resolve();',
    'await other;',
  ],
  ['registers a reaction', 'const ready = Promise.resolve();', 'ready.then(() => {});'],
];
for (const [what, before, data, after] of KEPT)
  test(`a call that ${what} is kept`, async () => {
    assert.ok((await callsOf(streamOf(before, data, after), 'data')) > 0);
  });

test('what is asked for in the name of another within such a call is kept, and so is the call', () => {
  const root = runtime.beginRun();
  const recorder = new Recorder(runtime);
  recorder.start(root);
  const { observer } = runtime;
  const call = Object.assign(rootFrame('call', 'root.call#0'), { kind: 'callback', parent: root } as const);
  observer?.begin?.(call);
  recorder.observer.issued({
    ...{ kind: 'pool', api: 'fs.stat', what: '', name: 'root|fs.stat#1', id: 0, ref: true, effects: 1 },
    ...{ frame: root, site: -1, accesses: () => [], effect: () => {}, deliver: () => {} },
  });
  observer?.end?.(call);
  const { events, jobs } = recorder.finish([], {});
  assert.deepEqual([...events.kind], [EventKind.Job, EventKind.Issue]);
  assert.equal(jobs.length, 1);
});
