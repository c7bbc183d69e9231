/** Connections that Node's own code reads and writes: not followed, but they come to their end. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import tls from 'node:tls';
import { gated, random } from './support.ts';

/** A key that both sides know needs no certificate. */
const shared = {
  ...({ ciphers: 'PSK-AES128-GCM-SHA256', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const),
  checkServerIdentity: () => undefined,
  pskCallback: (): any => ({ psk: Buffer.from('0123456789abcdef'), identity: 'x' }),
};
const serving = { ...shared, pskCallback: () => Buffer.from('0123456789abcdef') };

async function listening(server: net.Server): Promise<{ port: number; host: string }> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as net.AddressInfo).port, host: '127.0.0.1' };
}

async function overTls(): Promise<string> {
  const server = tls.createServer(serving, (socket) => socket.pipe(socket));
  const client = tls.connect({ ...shared, ...(await listening(server)) });
  client.end('echo');
  const [chunk] = await once(client, 'data');
  server.close();
  return String(chunk);
}

async function upgraded(): Promise<string> {
  const server = net.createServer(async (socket) => {
    await once(socket, 'data');
    socket.write('go on');
    const secure = new tls.TLSSocket(socket, { ...serving, isServer: true });
    secure.pipe(secure);
  });
  const plain = net.connect(await listening(server));
  plain.write('may I?');
  await once(plain, 'data');
  const client = tls.connect({ ...shared, socket: plain });
  client.end('upgraded');
  const [chunk] = await once(client, 'data');
  server.close();
  return String(chunk);
}

/** What watches HTTP/2 waits until the module is loaded: by the first of the runs. */
async function overHttp2(): Promise<string> {
  const { default: http2 } = await import('node:http2');
  const server = http2.createServer().on('stream', (stream) => stream.end('streamed'));
  const { port, host } = await listening(server as unknown as net.Server);
  const session = http2.connect(`http://${host}:${port}`);
  const request = session.request({ ':path': '/' });
  request.end();
  const [chunk] = await once(request, 'data');
  session.close();
  server.close();
  return String(chunk);
}

describe('a connection that cannot be followed comes to its end and makes a failure doubtful', () => {
  const cases: Record<string, [() => Promise<string>, string, string]> = {
    TLS: [overTls, 'echo', 'TLS'],
    'a plain connection that becomes TLS': [upgraded, 'upgraded', 'TLS'],
    'HTTP/2': [overHttp2, 'streamed', 'HTTP/2'],
  };
  for (const [name, [main, expected, doubt]] of Object.entries(cases))
    it(name, async () => {
      for (const run of [() => gated(main), () => random(main, 1), () => random(main, 2)]) {
        const { status, value, doubts } = await run();
        assert.deepEqual([status, value, doubts], ['ok', expected, [doubt]]);
      }
    });
});

/** What keeps waiting would be told that its time is over. */
async function answered(ask: () => void, answer: Promise<unknown[]>): Promise<string> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, 60_000, 'too late'));
  ask();
  return Promise.race([late, answer.then(([chunk]) => String(chunk))]);
}

describe('nothing overtakes what a connection brings that is older than the run', () => {
  it('TLS', async (t) => {
    const server = tls.createServer(serving, (socket) => socket.pipe(socket));
    const client = tls.connect({ ...shared, ...(await listening(server)) });
    t.after(() => {
      client.destroy();
      server.close();
    });
    await once(client, 'secureConnect');
    for (const text of ['first', 'second']) {
      const main = () => answered(() => client.write(text), once(client, 'data'));
      const { status, value, doubts } = await gated(main);
      assert.deepEqual([status, value, doubts], ['ok', text, ['TLS']]);
    }
  });

  it('HTTP/2', async (t) => {
    const { default: http2 } = await import('node:http2');
    const server = http2.createServer().on('stream', (stream) => stream.end('streamed'));
    const { port, host } = await listening(server as unknown as net.Server);
    const session = http2.connect(`http://${host}:${port}`);
    t.after(() => {
      session.destroy();
      server.close();
    });
    await once(session, 'connect');
    for (const _ of ['first', 'second']) {
      const { status, value, doubts } = await gated(() => {
        const request = session.request({ ':path': '/' });
        return answered(() => request.end(), once(request, 'data'));
      });
      assert.deepEqual([status, value, doubts], ['ok', 'streamed', ['HTTP/2']]);
    }
  });
});
