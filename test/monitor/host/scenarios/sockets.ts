/** Sockets, pipes and HTTP within one process: what programs see of them, in the order in which one end sees it. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { bindingOf } from '../../../../monitor/host/bindings.ts';
import type { Scenario } from './outcome.ts';

const HOST = '127.0.0.1';

async function port(server: net.Server): Promise<number> {
  server.listen(0, HOST);
  await once(server, 'listening');
  return (server.address() as net.AddressInfo).port;
}

/** What a socket tells, one word each; data in one piece, because TCP may cut it anywhere. */
function story(socket: net.Socket): Promise<string[]> {
  const seen: string[] = [];
  let data = '';
  const tell = (word: string) => {
    if (data) seen.push(data);
    data = '';
    seen.push(word);
  };
  socket.on('data', (chunk) => {
    data += chunk;
  });
  for (const event of ['connect', 'end', 'timeout', 'finish']) socket.on(event, () => tell(event));
  socket.on('error', (error: NodeJS.ErrnoException) => tell(`${error.code} ${error.syscall}`));
  return new Promise((resolve) => {
    socket.on('close', (hadError) => {
      tell(`close ${hadError} ${socket.bytesRead} ${socket.bytesWritten}`);
      resolve(seen);
    });
  });
}

async function between(
  onSocket: (socket: net.Socket) => void,
  use: (port: number) => Promise<unknown>,
  options: net.ServerOpts = {},
): Promise<unknown> {
  const server = net.createServer(options, (socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  });
  const seen = await use(await port(server));
  server.close();
  await once(server, 'close');
  return seen;
}

async function web(
  handler: http.RequestListener,
  use: (url: string) => Promise<unknown>,
  prepare: (server: http.Server) => void = () => {},
): Promise<unknown> {
  const server = http.createServer(handler);
  prepare(server);
  const seen = await use(`http://${HOST}:${await port(server)}/`);
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  return seen;
}

const connect = (to: number) => net.connect(to, HOST);
const failure = (error: Error & { cause?: NodeJS.ErrnoException }) => [error.name, error.cause?.code];

/** What lies below sockets, as Node's own code and few programs use it. */
const { TCP, constants, TCPConnectWrap } = bindingOf('tcp_wrap');
const { ShutdownWrap } = bindingOf('stream_wrap');

export const sockets: Record<string, Scenario> = {
  'reads into buffers of the program, another one each time': () =>
    between(
      (socket) => socket.end('0123456789'),
      async (port) => {
        const pieces: string[] = [];
        const buffers: Buffer[] = [];
        const buffer = () => buffers[buffers.push(Buffer.alloc(4)) - 1]!;
        const callback = (size: number, from: Uint8Array) => {
          pieces.push(Buffer.from(from.subarray(0, size)).toString());
          return true;
        };
        const socket = net.connect({ port, host: HOST, onread: { buffer, callback } });
        await once(socket, 'end');
        return [pieces, buffers.map(String)];
      },
    ),
  'net: requests that are told their callbacks behind the calls': () =>
    between(
      (s) => s.resume(),
      async (to) => {
        const client = new TCP(constants.SOCKET);
        const answered = (req: { oncomplete?: unknown }) =>
          new Promise((resolve) => {
            req.oncomplete = (status: number, handle: unknown) => resolve([status, handle === client]);
          });
        const [connecting, ending] = [new TCPConnectWrap(), new ShutdownWrap()];
        const seen: unknown[] = [client.connect(connecting, HOST, to)];
        seen.push(await answered(connecting), client.shutdown(ending), await answered(ending));
        client.close();
        return seen;
      },
    ),
  'net: a client with a setNoDelay of its own': () =>
    between(
      (s) => s.end('hello'),
      async (to) => {
        let calls = 0;
        const client = connect(to);
        (client as unknown as { _handle: object })._handle = Object.assign(
          (client as unknown as { _handle: object })._handle,
          { setNoDelay: () => ++calls },
        );
        return [await story(client), calls];
      },
    ),
  'net: hello': () =>
    between(
      (s) => s.end('hello'),
      (to) => story(connect(to)),
    ),
  'net: echo': () =>
    between(
      (s) => s.pipe(s),
      (to) => {
        const socket = connect(to);
        socket.end('question');
        return story(socket);
      },
    ),
  'net: half open': () =>
    between(
      (s) => s.on('end', () => s.end('late')).resume(),
      (to) => {
        const socket = connect(to);
        socket.end('question');
        return story(socket);
      },
      { allowHalfOpen: true },
    ),
  'net: destroyed by the client': () =>
    between(
      (s) => s.resume(),
      (to) => {
        const socket = connect(to);
        socket.on('connect', () => socket.destroy());
        return story(socket);
      },
    ),
  'net: destroyed before it was connected': () =>
    between(
      () => {},
      (to) => {
        const socket = connect(to);
        socket.destroy();
        return story(socket);
      },
    ),
  'net: destroyed with an error': () =>
    between(
      (s) => s.resume(),
      (to) => {
        const socket = connect(to);
        socket.on('connect', () => socket.destroy(Object.assign(new Error('x'), { code: 'MINE' })));
        return story(socket);
      },
    ),
  'net: reset by the server': () =>
    between(
      (s) => s.once('data', () => s.resetAndDestroy()),
      async (to) => {
        const socket = connect(to);
        socket.write('x');
        return (await story(socket)).filter((word) => word !== 'finish');
      },
    ),
  'net: nobody listens': async () => {
    const server = net.createServer();
    const to = await port(server);
    server.close();
    await once(server, 'close');
    return story(connect(to));
  },
  'net: port in use': async () => {
    const first = net.createServer();
    const to = await port(first);
    const second = net.createServer();
    second.listen(to, HOST);
    const [error] = (await once(second, 'error')) as [NodeJS.ErrnoException];
    first.close();
    await once(first, 'close');
    return [error.code, error.syscall];
  },
  'net: listening twice': async () => {
    const server = net.createServer();
    await port(server);
    let code: string | undefined;
    try {
      server.listen(0);
    } catch (error) {
      ({ code } = error as NodeJS.ErrnoException);
    }
    server.close();
    await once(server, 'close');
    return code;
  },
  'net: backpressure': () =>
    between(
      (s) => s.pipe(s),
      async (to) => {
        const socket = connect(to);
        const whole = text(socket);
        const full = socket.write(Buffer.alloc(1_000_000, 'a'));
        await once(socket, 'drain');
        socket.end('b');
        return [full, (await whole).length];
      },
    ),
  'net: write after end': () =>
    between(
      (s) => s.resume(),
      async (to) => {
        const socket = connect(to);
        const told = story(socket);
        await once(socket, 'connect');
        socket.end();
        socket.write('x');
        return (await told).filter((word) => word.startsWith('ERR') || word.startsWith('close'));
      },
    ),
  'net: idle time-out': () =>
    between(
      () => {},
      (to) => {
        const socket = connect(to);
        socket.on('connect', () => socket.setTimeout(30, () => socket.destroy()));
        return story(socket);
      },
    ),
  'net: aborted by a signal': () =>
    between(
      () => {},
      (to) => {
        const control = new AbortController();
        const socket = new net.Socket({ signal: control.signal });
        socket.connect(to, HOST, () => setTimeout(() => control.abort(), 10));
        return story(socket);
      },
    ),
  'net: paused and resumed': () =>
    between(
      (s) => s.end('text'),
      async (to) => {
        const socket = connect(to);
        const told = story(socket);
        socket.pause();
        await sleep(20);
        socket.resume();
        return told;
      },
    ),
  'net: own buffer': () =>
    between(
      (s) => s.end('text'),
      async (to) => {
        let got = '';
        const onread = {
          buffer: Buffer.alloc(3),
          callback: (n: number, b: Uint8Array) => {
            got += Buffer.from(b.subarray(0, n)).toString();
            return true;
          },
        };
        const socket = net.connect({ port: to, host: HOST, onread });
        await once(socket, 'close');
        return [got, socket.bytesRead];
      },
    ),
  'net: a pipe': async (d) => {
    const server = net.createServer((socket) => socket.end(`hello ${socket.remoteAddress}`));
    server.listen(`${d}/s`);
    await once(server, 'listening');
    const told = await story(net.connect(`${d}/s`));
    server.close();
    await once(server, 'close');
    return told;
  },
  'net: no such pipe': (d) => story(net.connect(`${d}/none`)),
  'net: a name that has to be looked up': () =>
    between(
      (s) => s.end('x'),
      (to) => story(net.connect({ port: to, host: 'localhost', family: 4 })),
    ),
  'net: connections are counted': () =>
    between(
      (s) => s.resume(),
      async (to) => {
        const socket = connect(to);
        const told = story(socket);
        await once(socket, 'connect');
        socket.end();
        return told;
      },
    ),
  'readline over a socket': () =>
    between(
      (s) => s.end('one\ntwo\nthree'),
      async (to) => {
        const lines: string[] = [];
        for await (const line of createInterface({ input: connect(to) })) lines.push(line);
        return lines;
      },
    ),
  'http: get': () =>
    web(
      (_q, r) => r.end('text'),
      (url) =>
        new Promise((resolve, reject) => {
          http
            .get(url, { agent: false }, async (response) => {
              resolve([response.statusCode, await text(response), response.complete]);
            })
            .on('error', reject);
        }),
    ),
  'http: keep-alive': () =>
    web(
      (q, r) => r.end(q.url),
      async (url) => {
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
        const seen: unknown[] = [];
        for (const path of ['a', 'b', 'c'])
          await new Promise<void>((resolve, reject) => {
            const request = http.get(url + path, { agent }, async (response) => {
              seen.push([await text(response), request.reusedSocket]);
              resolve();
            });
            request.on('error', reject);
          });
        agent.destroy();
        return seen;
      },
    ),
  'http: chunked upload': () =>
    web(
      async (q, r) => r.end(String((await text(q)).length)),
      (url) =>
        new Promise((resolve, reject) => {
          const request = http.request(url, { method: 'POST', agent: false }, async (response) => {
            resolve(await text(response));
          });
          request.on('error', reject);
          request.write('a'.repeat(100_000));
          setImmediate(() => request.end('b'));
        }),
    ),
  'http: ticks and microtasks between a body and its end': () => {
    const seen: string[] = [];
    const tell = (event: string): void => {
      seen.push(event);
      queueMicrotask(() => seen.push(`microtask of ${event}`));
      process.nextTick(() => seen.push(`tick of ${event}`));
    };
    return web(
      (q, r) => {
        tell('request');
        for (const event of ['data', 'end', 'close']) q.on(event, () => tell(event));
        q.on('end', () => r.end());
      },
      (url) =>
        new Promise((resolve) => {
          const request = http.request(url, { method: 'POST', agent: false }, (response) => {
            response.resume().on('end', () => resolve(seen));
          });
          request.end('all of it in one piece');
        }),
    );
  },
  'http: 100 continue': () =>
    web(
      async (q, r) => r.end(await text(q)),
      (url) =>
        new Promise((resolve, reject) => {
          const options = { method: 'POST', agent: false, headers: { expect: '100-continue' } } as const;
          const request = http.request(url, options, async (response) => resolve(await text(response)));
          request.on('continue', () => request.end('body')).on('error', reject);
          request.flushHeaders();
        }),
    ),
  'http: upgrade': () =>
    web(
      () => {},
      (url) =>
        new Promise((resolve, reject) => {
          const headers = { connection: 'upgrade', upgrade: 'echo' };
          http
            .get(url, { agent: false, headers })
            .on('upgrade', async (_response, socket) => resolve(await text(socket)))
            .on('error', reject);
        }),
      (server) => {
        server.on('upgrade', (_request, socket) => {
          socket.end('HTTP/1.1 101 ok\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\nhello');
        });
      },
    ),
  'http: a malformed request': () =>
    web(
      () => {},
      async (url) => {
        const socket = net.connect(Number(new URL(url).port), HOST);
        socket.end('nonsense\r\n\r\n');
        return (await text(socket)).split('\r\n')[0];
      },
    ),
  'http: request time-out': () =>
    web(
      () => {},
      (url) =>
        new Promise((resolve) => {
          const request = http.get(url, { agent: false, timeout: 30 });
          request.on('timeout', () => request.destroy(new Error('too long')));
          request.on('error', (error) => resolve(error.message));
        }),
    ),
  'http: the server hangs up': () =>
    web(
      (q) => q.socket.destroy(),
      (url) =>
        new Promise((resolve) => {
          http.get(url, { agent: false }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        }),
    ),
  'http: aborted by the client': () =>
    web(
      () => {},
      (url) =>
        new Promise((resolve) => {
          const signal = AbortSignal.timeout(20);
          http.get(url, { agent: false, signal }).on('error', (error) => resolve(error.name));
        }),
    ),
  'fetch: json': () =>
    web(
      (_q, r) => r.setHeader('content-type', 'application/json').end('{"a":1}'),
      async (url) => (await fetch(url)).json(),
    ),
  'fetch: post': () =>
    web(
      async (q, r) => r.end(`${q.method} ${await text(q)}`),
      async (url) => (await fetch(url, { method: 'POST', body: 'x'.repeat(10) })).text(),
    ),
  'fetch: redirect': () =>
    web(
      (q, r) => {
        if (q.url === '/') r.writeHead(302, { location: '/there' }).end();
        else r.end(q.url);
      },
      async (url) => {
        const response = await fetch(url);
        return [response.redirected, await response.text()];
      },
    ),
  'fetch: nobody listens': async () => {
    const server = net.createServer();
    const to = await port(server);
    server.close();
    await once(server, 'close');
    return fetch(`http://${HOST}:${to}/`).catch(failure);
  },
  'fetch: the server hangs up': () =>
    web(
      (q) => q.socket.destroy(),
      (url) => fetch(url).catch(failure),
    ),
  'fetch: aborted': () =>
    web(
      () => {},
      (url) => fetch(url, { signal: AbortSignal.timeout(20) }).catch((error) => error.name),
    ),
  'fetch: streamed': () =>
    web(
      async (_q, r) => {
        for (const part of ['a', 'b', 'c']) {
          r.write(part);
          await sleep(1);
        }
        r.end();
      },
      async (url) => {
        let whole = '';
        for await (const chunk of (await fetch(url)).body!) whole += Buffer.from(chunk).toString();
        return whole;
      },
    ),
};
