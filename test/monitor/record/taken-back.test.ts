/** What a program takes back before it is delivered. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EventKind } from '../../../data/trace.ts';
import { Directories } from '../../rescheduler/gate/support.ts';
import { recorded } from './recorded.ts';

const directories = new Directories();
after(() => directories.remove());

const TAKES_BACK = [
  ['a timer that is cleared', 'const t = setTimeout(() => {}, 99)', 'clearTimeout(t)', 'setTimeout'],
  ['a timer that starts anew', 'const t = setTimeout(over, 99)', 't.refresh()', 'setTimeout'],
  ['an immediate', 'const i = setImmediate(() => {})', 'clearImmediate(i)', 'setImmediate'],
  ['a time-out', 'const s = new AbortController(); wait(99, 0, s).catch(over)', 's.abort()', 'setTimeout'],
] as const;

for (const [what, begin, takeBack, api] of TAKES_BACK)
  test(`${what} is taken back in the turn in which that happens`, async () => {
    const { events, requests } = await recorded(
      `import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
export default async (dir) => {
  const { promise, resolve: over } = Promise.withResolvers();
  ${begin};
  ${api === 'setTimeout' ? 'await stat(dir);' : ''}
  ${takeBack};
  ${takeBack.startsWith('clear') ? 'over();' : ''}
  await promise;
};`,
      directories,
    );
    const back = requests.filter(({ takenBack }) => takenBack >= 0);
    assert.deepEqual(
      back.map((request) => request.api),
      [api],
    );
    const [{ takenBack }] = back as [(typeof back)[0]];
    const turn = events.kind.lastIndexOf(EventKind.Turn, takenBack - 1);
    const during = requests[events.object[turn] as number]?.api;
    assert.equal(turn < 0 ? undefined : during, api === 'setTimeout' ? 'fs.stat' : undefined);
  });
