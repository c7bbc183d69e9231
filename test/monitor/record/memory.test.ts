/** What a recording keeps of the data that went through the program. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Directories } from '../../rescheduler/gate/support.ts';
import { recorded } from './recorded.ts';

const directories = new Directories();
after(() => directories.remove());

const PIECES = 64;
const PIECE = 65_536;

const SENT = {
  'through a socket': `
    const server = net.createServer((socket) => socket.on('data', see).on('end', () => socket.end())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = net.connect(server.address().port, '127.0.0.1').resume();
    for (let i = 0; i < ${PIECES}; i++) if (!socket.write(Buffer.alloc(${PIECE}))) await once(socket, 'drain');
    socket.end();
    await once(socket, 'close');
    server.close();`,
  'through files': `
    for (let i = 0; i < ${PIECES}; i++) {
      await fs.writeFile(dir + '/f', Buffer.alloc(${PIECE}));
      see(await fs.readFile(dir + '/f'));
    }`,
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** In bytes: what buffers took behind each piece. */
const shared = globalThis as { measureBuffers?: () => number };
shared.measureBuffers = () => {
  // What the first one has found is freed in the background, and for certain before the second one begins.
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
};
after(() => delete shared.measureBuffers);

for (const [how, body] of Object.entries(SENT))
  test(`nothing of what goes ${how} is kept`, async () => {
    const { requests } = await recorded(
      `import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
export default async (dir) => {
  let first = 0, seen = 0;
  const see = (data) => { seen += data.length; first ||= measureBuffers(); };
  ${body}
  const grown = measureBuffers() - first;
  if (seen !== ${PIECES * PIECE}) throw new Error('seen ' + seen);
  if (grown > ${(PIECES * PIECE) / 4}) throw new Error('grown by ' + grown + ' bytes');
};`,
      directories,
    );
    assert.ok(requests.length > PIECES);
  });
