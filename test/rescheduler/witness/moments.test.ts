/** What the requests of a failing order follow from. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { causesOf } from '../../../rescheduler/witness/moments.ts';
import { recorded } from '../../monitor/record/recorded.ts';
import { Directories } from '../gate/support.ts';

const directories = new Directories();
after(() => directories.remove());

test('the end of a stream is read behind the turn in which it was answered', async () => {
  const trace = await recorded(
    `import net from 'node:net';
export default (dir) => new Promise((resolve) => {
  const server = net.createServer((socket) => socket.resume());
  server.listen(dir + '/p', () => {
    const socket = net.connect(dir + '/p');
    socket.end();
    socket.resume().on('close', () => server.close(resolve));
  });
});`,
    directories,
  );
  const [read, shutdown] = ['net.read', 'net.shutdown'].map((api) =>
    trace.requests.findIndex((request) => request.api === api),
  ) as [number, number];
  const cause = causesOf(trace).get(read) as number;
  assert.equal(trace.steps[cause], `D:${trace.requests[shutdown]?.name}`);
});
