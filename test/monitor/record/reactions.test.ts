/** What the callbacks of promises follow from. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EventKind } from '../../../data/trace.ts';
import { causality } from '../../../predictor/causality.ts';
import { buildProgram } from '../../../predictor/program.ts';
import { Directories } from '../../rescheduler/gate/support.ts';
import { recorded } from './recorded.ts';

const directories = new Directories();
after(() => directories.remove());

test('a callback follows the promise and whoever registered it', async () => {
  const trace = await recorded(
    `import { stat } from 'node:fs/promises';
const state = { asked: 0, told: 0, done: 0 };
let tail;
const tell = async (dir) => {
  await stat(dir);
  state.told = 1;
};
const ask = async (dir) => {
  await stat(dir + '/..');
  await stat(dir);
  state.asked = 1;
  await tail.then(() => { state.done = 1; });
};
export default (dir) => {
  tail = tell(dir);
  return Promise.all([tail, ask(dir)]);
};`,
    directories,
  );
  const { events, entities } = trace;
  const write = (field: string): number =>
    events.kind.findIndex(
      (kind, i) =>
        kind === EventKind.Write && entities[events.object[i] as number]?.name.endsWith(`#${field}`) === true,
    );
  const { before } = causality(buildProgram(trace));
  const [asked, told, done] = [write('asked'), write('told'), write('done')] as const;
  assert.deepEqual([before(asked, done), before(told, done)], [true, true]);
  assert.deepEqual([before(asked, told), before(told, asked)], [false, false]);
});
