/** Programs over sockets inside one process: what the event loop and TCP promise holds in every order. */
import dns from 'node:dns';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { answer, type Case, impossible } from './program.ts';

const HOST = '127.0.0.1';

async function serve(server: net.Server): Promise<number> {
  server.listen(0, HOST);
  await once(server, 'listening');
  return (server.address() as net.AddressInfo).port;
}

/** Runs `use` with a server, and waits until it has closed. */
async function withServer(server: net.Server, use: (port: number) => Promise<unknown>): Promise<void> {
  const port = await serve(server);
  try {
    await use(port);
  } finally {
    server.close();
    if (server instanceof http.Server) server.closeAllConnections();
    await once(server, 'close');
  }
}

const tcp = (onSocket: (socket: net.Socket) => void, use: (port: number) => Promise<unknown>) =>
  withServer(
    net.createServer((socket) => {
      socket.on('error', () => {});
      onSocket(socket);
    }),
    use,
  );

const web = (handler: http.RequestListener, use: (port: number) => Promise<unknown>) =>
  withServer(http.createServer(handler), use);

async function all(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

const connect = (port: number) => net.connect({ port, host: HOST });

/** One request over Node's own client. */
const get = (port: number, path: string, agent: http.Agent | false = false): Promise<string> =>
  answer((resolve, reject) => {
    http
      .get({ port, host: HOST, path, agent }, (response) => all(response).then(resolve, reject))
      .on('error', reject);
  });

const times = (n: number) => Array.from({ length: n }, (_, i) => i);

export const sockets: Record<string, Case> = {
  'a server gives a slow request up when it is late by the clock of the run': {
    needs: 'clocks',
    run: () => {
      const limits = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };
      return withServer(http.createServer(limits), async (port) => {
        const socket = connect(port);
        socket.write('GET / HTTP/1.1\r\nHost:');
        // What the server has not read when it gives up resets the connection.
        const end = all(socket).catch((error: NodeJS.ErrnoException) => error.code);
        const text = await Promise.race([end, sleep(5000, 'nothing')]);
        if (!/ 408 |^ECONNRESET$/.test(text ?? '')) throw new Error(text);
      });
    },
  },
  'a server hears a request out that is within its limits': {
    run: () => {
      const limits = { headersTimeout: 2000, requestTimeout: 4000, connectionsCheckingInterval: 50 };
      const server = http.createServer(limits, (request, response) => {
        all(request).then((text) => response.end(text));
      });
      return withServer(server, async (port) => {
        const socket = connect(port);
        socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n');
        const text = all(socket);
        for (const part of ['a', 'b']) {
          await sleep(500);
          socket.write(part);
        }
        if (!(await text).endsWith('ab')) throw new Error(await text);
      });
    },
  },
  'a server has accepted before its client is told': {
    needs: 'phases',
    run: async (d) => {
      const server = net.createServer((socket) => socket.resume());
      const port = await serve(server);
      for (const cause of [() => fsp.stat(d), () => sleep(1), immediate]) {
        await cause();
        const accepted = answer((resolve) => server.once('connection', () => resolve(true)));
        const socket = connect(port);
        await once(socket, 'connect');
        if (!(await Promise.race([accepted, false]))) throw new Error('the client was first');
        socket.end();
        await once(socket, 'close');
      }
      const last = connect(port);
      await once(last, 'connect');
      // What nobody had accepted would be reset.
      server.close();
      last.end();
      await once(last, 'close');
    },
  },
  'a close callback comes behind the immediates of its turn': {
    needs: 'closing',
    run: (d) =>
      tcp(
        () => {},
        async (port) => {
          const socket = connect(port);
          await once(socket, 'connect');
          await answer((resolve, reject) => {
            fs.stat(d, () => {
              let checked = false;
              setImmediate(() => {
                checked = true;
              });
              socket.destroy();
              socket.on('close', () => (checked ? resolve() : reject(new Error('closed too early'))));
            });
          });
        },
      ),
  },
  'an IP address is known at once, in the turn of a close callback as well': {
    run: () =>
      tcp(
        (socket) => socket.resume(),
        (port) =>
          answer((resolve, reject) => {
            const socket = net.connect(port, HOST, () => socket.destroy());
            socket.on('close', () => {
              let known = false;
              setImmediate(() =>
                known ? resolve() : reject(new Error('the look-up took a round of the loop')),
              );
              dns.lookup(HOST, () => (known = true));
            });
          }),
      ),
  },
  'no timer fires between a poll turn and the close callbacks it made': {
    needs: 'closing',
    run: (d) =>
      tcp(
        () => {},
        async (port) => {
          const socket = connect(port);
          await once(socket, 'connect');
          await answer((resolve, reject) => {
            fs.stat(d, () => {
              let closed = false;
              setTimeout(() => (closed ? resolve() : reject(new Error('the timer came first'))), 1);
              socket.on('close', () => {
                closed = true;
              });
              socket.destroy();
            });
          });
        },
      ),
  },
  'sockets closed together are closed back to back': {
    needs: 'closing',
    run: (d) =>
      tcp(
        () => {},
        async (port) => {
          const pair = [connect(port), connect(port)];
          await Promise.all(pair.map((socket) => once(socket, 'connect')));
          let closed = 0;
          const both = pair.map((socket) => once(socket, 'close'));
          for (const socket of pair) socket.on('close', () => closed++);
          const looked = fsp.stat(d).then(() => {
            if (closed === 1) impossible('between two close callbacks');
          });
          for (const socket of pair) socket.destroy();
          await Promise.all([...both, looked]);
        },
      ),
  },
  'an immediate of a data turn precedes the answer to what that turn wrote': {
    needs: 'phases',
    run: () =>
      tcp(
        (socket) => socket.pipe(socket),
        async (port) => {
          const socket = connect(port);
          socket.write('a');
          await once(socket, 'data');
          await answer((resolve, reject) => {
            socket.once('data', () => {
              let checked = false;
              setImmediate(() => {
                checked = true;
              });
              socket.once('data', () => (checked ? resolve() : reject(new Error('the echo came first'))));
              socket.write('c');
            });
            socket.write('b');
          });
          socket.end();
          await once(socket, 'close');
        },
      ),
  },
  'an immediate behind the end of a stream precedes the answer to what was asked for there': {
    needs: 'phases',
    run: () =>
      tcp(
        (socket) => socket.resume(),
        (port) =>
          answer<void>((resolve, reject) => {
            const client = connect(port).resume();
            client.on('connect', () =>
              client.end(() => {
                let passed = false;
                const other = connect(port)
                  .resume()
                  .on('error', () => {});
                other.on('connect', () => {
                  other.end();
                  if (!passed) reject(new Error('connected before the immediate'));
                  else resolve();
                });
                setImmediate(() => {
                  passed = true;
                });
              }),
            );
          }),
      ),
  },
  'ticks and microtasks run before the next socket is read': {
    run: () =>
      tcp(
        (socket) => socket.end('x'),
        async (port) => {
          let busy = false;
          await Promise.all(
            times(4).map(async () => {
              const socket = connect(port);
              socket.on('data', () => {
                if (busy) impossible('two at a time');
                busy = true;
                process.nextTick(() => Promise.resolve().then(() => queueMicrotask(() => (busy = false))));
              });
              await once(socket, 'close');
            }),
          );
        },
      ),
  },
  'bytes keep their order': {
    run: (d) => {
      let text = '';
      return tcp(
        (socket) => socket.on('data', (chunk) => (text += chunk)),
        async (port) => {
          const socket = connect(port);
          for (const n of times(6)) {
            socket.write(String(n));
            await (n % 2 ? fsp.stat(d) : immediate());
          }
          socket.end();
          await once(socket, 'close');
          if (text !== '012345') impossible(text);
        },
      );
    },
  },
  'the server accepts in the order of the connects': {
    run: async () => {
      const ports: number[] = [];
      await tcp(
        (socket) => {
          ports.push(socket.remotePort as number);
          socket.end();
        },
        async (port) => {
          const clients = times(4).map(() => connect(port));
          const own: number[] = [];
          await Promise.all(
            clients.map(async (socket) => {
              await once(socket, 'connect');
              own.push(socket.localPort as number);
              socket.resume();
              await once(socket, 'close');
            }),
          );
          const inOrder = clients.map((_, i) => ports[i]);
          if (inOrder.some((p) => p === undefined)) impossible(ports);
        },
      );
    },
  },
  'nothing is seen of a connection before connect': {
    run: (d) =>
      tcp(
        (socket) => socket.end('hello'),
        async (port) => {
          const socket = connect(port);
          let connected = false;
          const look = () => {
            if (!connected && (!socket.connecting || socket.readyState !== 'opening' || socket.bytesRead > 0))
              impossible(`${socket.connecting} ${socket.readyState} ${socket.bytesRead}`);
          };
          socket.on('connect', () => (connected = true));
          setImmediate(look);
          setTimeout(look, 1);
          fs.stat(d, look);
          if ((await all(socket)) !== 'hello') impossible('text');
        },
      ),
  },
  'bytesRead is what was received': {
    needs: 'traceless',
    run: (d) =>
      tcp(
        async (socket) => {
          for (const part of ['ab', 'cd', 'ef']) {
            socket.write(part);
            await fsp.stat(d);
          }
          socket.end();
        },
        async (port) => {
          const socket = connect(port);
          let received = 0;
          socket.on('data', (chunk) => {
            received += chunk.length;
          });
          const looking = async () => {
            for (const _ of times(8)) {
              if (socket.bytesRead !== received) impossible(`${socket.bytesRead} of ${received}`);
              await fsp.stat(d);
            }
          };
          await Promise.all([once(socket, 'close'), looking()]);
          if (received !== 6) impossible(received);
        },
      ),
  },
  'end comes after all data, close after end': {
    run: () =>
      tcp(
        (socket) => {
          socket.write('a');
          setImmediate(() => socket.end('b'));
        },
        async (port) => {
          const seen: string[] = [];
          const socket = connect(port);
          socket.on('connect', () => seen.push('connect'));
          socket.on('data', (chunk) => seen.push(String(chunk)));
          socket.on('end', () => seen.push('end'));
          socket.on('close', () => seen.push('close'));
          await once(socket, 'close');
          if (seen.join(' ').replace('a b', 'ab') !== 'connect ab end close') impossible(seen);
        },
      ),
  },
  'half open: an answer after the end of the request': {
    run: async (d) => {
      const server = net.createServer({ allowHalfOpen: true }, (socket) => {
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.on('end', () => void fsp.stat(d).then(() => socket.end(text.toUpperCase())));
      });
      server.listen(0, HOST);
      await once(server, 'listening');
      const { port } = server.address() as net.AddressInfo;
      const socket = connect(port);
      socket.end('question');
      const text = await all(socket);
      server.close();
      await once(server, 'close');
      if (text !== 'QUESTION') impossible(text);
    },
  },
  'a write of 20 MB is not over before the reader has begun': {
    orders: 8,
    run: (d) => {
      let received = 0;
      return tcp(
        (socket) => {
          socket.pause();
          setTimeout(() => socket.on('data', (chunk) => (received += chunk.length)).resume(), 20);
        },
        async (port) => {
          const socket = connect(port);
          const over = answer((resolve) => {
            socket.write(Buffer.alloc(20_000_000), resolve);
          });
          await fsp.stat(d);
          await over;
          if (received === 0) impossible('the kernel has no room for that');
          socket.end();
          await once(socket, 'close');
          if (received !== 20_000_000) impossible(received);
        },
      );
    },
  },
  'a reset is an error, never a clean end': {
    run: () =>
      tcp(
        (socket) => {
          socket.once('data', () => socket.resetAndDestroy());
        },
        async (port) => {
          const socket = connect(port);
          socket.write('x');
          const outcome = await all(socket).then(
            () => 'end',
            (error) => error.code,
          );
          if (outcome !== 'ECONNRESET') impossible(outcome);
        },
      ),
  },
  'bytes before a reset are read before it, or never': {
    run: (d) =>
      tcp(
        async (socket) => {
          socket.write('abc');
          await fsp.stat(d);
          socket.resetAndDestroy();
        },
        async (port) => {
          const socket = connect(port);
          const seen: string[] = [];
          socket.on('data', (chunk) => seen.push(String(chunk)));
          socket.on('end', () => seen.push('end'));
          socket.on('error', (error: NodeJS.ErrnoException) => seen.push(error.code as string));
          await answer((resolve) => socket.on('close', resolve));
          if (!['abc ECONNRESET', 'ECONNRESET'].includes(seen.join(' '))) impossible(seen);
        },
      ),
  },
  'a connection that nobody accepted is reset': {
    run: async (d) => {
      const server = net.createServer((socket) => socket.on('error', () => {}).resume());
      const port = await serve(server);
      const socket = connect(port);
      const outcome = answer<string>((resolve) => {
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        socket.on('close', () => resolve('close'));
      });
      await fsp.stat(d);
      server.close();
      setTimeout(() => socket.destroy(), 900);
      const code = await outcome;
      if (code !== 'ECONNRESET' && code !== 'ECONNREFUSED' && code !== 'close') impossible(code);
    },
  },
  'nobody listens: the connection is refused': {
    run: async () => {
      const server = net.createServer();
      const port = await serve(server);
      server.close();
      await once(server, 'close');
      const [error] = (await once(connect(port), 'error').catch((e) => [e])) as NodeJS.ErrnoException[];
      if (error?.code !== 'ECONNREFUSED') impossible(error);
    },
  },
  'a port is taken while its server listens': {
    run: async () => {
      const first = net.createServer();
      const port = await serve(first);
      const second = net.createServer();
      second.listen(port, HOST);
      const [error] = (await once(second, 'listening').catch((e) => [e])) as NodeJS.ErrnoException[];
      if (error?.code !== 'EADDRINUSE') impossible(error);
      first.close();
      await once(first, 'close');
      second.listen(port, HOST);
      await once(second, 'listening');
      second.close();
      await once(second, 'close');
    },
  },
  'requests are counted in one turn each': {
    run: (d) => {
      let served = 0;
      return web(
        async (_request, response) => {
          await fsp.stat(d);
          served += 1;
          response.end(String(served));
        },
        async (port) => {
          const answers = await Promise.all(times(4).map((n) => get(port, `/${n}`)));
          if (served !== 4 || new Set(answers).size !== 4) impossible(answers);
        },
      );
    },
  },
  'a handler with a promise chain as lock loses nothing': {
    run: (d) => {
      let balance = 0;
      let last: Promise<unknown> = Promise.resolve();
      return web(
        (_request, response) => {
          last = last.then(async () => {
            const before = balance;
            await fsp.stat(d);
            balance = before + 1;
            response.end();
          });
        },
        async (port) => {
          await Promise.all(times(3).map((n) => get(port, `/${n}`)));
          if (balance !== 3) impossible(balance);
        },
      );
    },
  },
  'keep-alive: one connection, requests one after the other': {
    run: async (d) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      let busy = 0;
      const used = new Set<unknown>();
      await web(
        async (request, response) => {
          if (++busy > 1) impossible('two requests on one connection');
          used.add(request.socket);
          await fsp.stat(d);
          busy -= 1;
          response.end(request.url);
        },
        async (port) => {
          const texts = await Promise.all(times(4).map((n) => get(port, `/${n}`, agent)));
          if (texts.join() !== '/0,/1,/2,/3') impossible(texts);
          agent.destroy();
        },
      );
    },
  },
  'a pool of two connections gives each answer to its request': {
    run: async (d) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
      await web(
        async (request, response) => {
          await fsp.stat(d);
          response.end(request.url);
        },
        async (port) => {
          await Promise.all(
            times(5).map(async (n) => {
              const text = await get(port, `/${n}`, agent);
              if (text !== `/${n}`) impossible(`${text} for ${n}`);
            }),
          );
          agent.destroy();
        },
      );
    },
  },
  'fetch gives each answer to its request': {
    run: (d) =>
      web(
        async (request, response) => {
          const body = await all(request);
          await fsp.stat(d);
          response.end(request.url + body);
        },
        async (port) => {
          await Promise.all(
            times(3).map(async (n) => {
              const url = `http://${HOST}:${port}/${n}`;
              const response = await fetch(url, { method: 'POST', body: `b${n}` });
              const text = await response.text();
              if (text !== `/${n}b${n}`) impossible(text);
            }),
          );
        },
      ),
  },
  'pipelined requests are answered in their order': {
    run: (d) => {
      return web(
        async (request, response) => {
          if (request.url === '/0') await fsp.stat(d);
          response.end(`<${request.url}>`);
        },
        async (port) => {
          const socket = connect(port);
          socket.write(
            times(3)
              .map((n) => `GET /${n} HTTP/1.1\r\nhost: x\r\n${n === 2 ? 'connection: close\r\n' : ''}\r\n`)
              .join(''),
          );
          const text = await all(socket);
          const order = [...text.matchAll(/<(.*?)>/g)].map((m) => m[1]);
          if (order.join() !== '/0,/1,/2') impossible(order);
        },
      );
    },
  },
  'a server closes gracefully: running requests end': {
    run: async (d) => {
      let begun = () => {};
      const started = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const server = http.createServer(async (_request, response) => {
        begun();
        await fsp.stat(d);
        response.end('done');
      });
      const port = await serve(server);
      const text = get(port, '/');
      await started;
      const closed = once(server, 'close');
      server.close();
      if ((await text) !== 'done') impossible('text');
      await closed;
    },
  },
  'an aborted request leaves the next one alone': {
    run: (d) =>
      web(
        async (request, response) => {
          await fsp.stat(d);
          response.end(request.url);
        },
        async (port) => {
          const control = new AbortController();
          const first = fetch(`http://${HOST}:${port}/a`, { signal: control.signal }).then(
            (response) => response.text(),
            (error) => error.name,
          );
          setTimeout(() => control.abort(), 1);
          const second = fetch(`http://${HOST}:${port}/b`).then((response) => response.text());
          const [a, b] = await Promise.all([first, second]).catch((error) => [error.name, '/b']);
          if ((a !== '/a' && a !== 'AbortError') || b !== '/b') impossible([a, b]);
        },
      ),
  },
  'an answer within 5 s is no time-out': {
    needs: 'bounded',
    run: (d) =>
      web(
        async (_request, response) => {
          await fsp.stat(d);
          response.end('x');
        },
        async (port) => {
          const response = await fetch(`http://${HOST}:${port}/`, { signal: AbortSignal.timeout(30_000) });
          if ((await response.text()) !== 'x') impossible('text');
        },
      ),
  },
  'state of a connection belongs to that connection': {
    run: (d) =>
      tcp(
        (socket) => {
          let count = 0;
          socket.on('data', async (chunk) => {
            for (const _ of String(chunk)) {
              const own = ++count;
              await fsp.stat(d);
              socket.write(String(own));
            }
          });
          socket.on('end', () => socket.end());
        },
        async (port) => {
          await Promise.all(
            times(3).map(async () => {
              const socket = connect(port);
              let text = '';
              socket.on('data', (chunk) => {
                text += chunk;
                if (text.length === 2) socket.end();
              });
              socket.write('a');
              await immediate();
              socket.write('b');
              await once(socket, 'close');
              if (text !== '12' && text !== '21') impossible(text);
            }),
          );
        },
      ),
  },
  'a pool lends a connection to one user at a time': {
    run: (d) =>
      tcp(
        (socket) => socket.on('data', (chunk) => void fsp.stat(d).then(() => socket.write(chunk))),
        async (port) => {
          const idle = times(2).map(() => connect(port));
          const waiting: ((socket: net.Socket) => void)[] = [];
          const borrow = () =>
            new Promise<net.Socket>((resolve) => {
              const socket = idle.pop();
              if (socket) resolve(socket);
              else waiting.push(resolve);
            });
          const giveBack = (socket: net.Socket) => {
            const next = waiting.shift();
            if (next) next(socket);
            else idle.push(socket);
          };
          await Promise.all(
            times(5).map(async (n) => {
              const socket = await borrow();
              socket.write(String(n));
              const [chunk] = await once(socket, 'data');
              giveBack(socket);
              if (String(chunk) !== String(n)) impossible(`${chunk} for ${n}`);
            }),
          );
          await Promise.all(
            idle.map(async (socket) => {
              socket.destroy();
              await once(socket, 'close');
            }),
          );
        },
      ),
  },
  'a pipe between two ends of one process': {
    run: async (d) => {
      const server = net.createServer((socket) => socket.pipe(socket));
      server.listen(`${d}/s`);
      await once(server, 'listening');
      const texts = await Promise.all(
        times(3).map(async (n) => {
          const socket = net.connect(`${d}/s`);
          socket.end(`hello ${n}`);
          return all(socket);
        }),
      );
      server.close();
      await once(server, 'close');
      if (texts.join() !== 'hello 0,hello 1,hello 2') impossible(texts);
    },
  },
  'a paused socket gets nothing': {
    run: (d) =>
      tcp(
        (socket) => socket.end('text'),
        async (port) => {
          const socket = connect(port);
          await once(socket, 'connect');
          socket.pause();
          let paused = true;
          socket.on('data', () => paused && impossible('data while paused'));
          socket.pause();
          await fsp.stat(d);
          await sleep(5);
          paused = false;
          socket.resume();
          await once(socket, 'close');
        },
      ),
  },
  'a server of another family does not get a client that the kernel refuses': {
    run: async () => {
      const server = net.createServer(() => impossible('it is not for IPv4'));
      await answer((resolve) => server.listen({ host: '::1', port: 0 }, () => resolve()));
      const { port } = server.address() as net.AddressInfo;
      const client = net.connect({ host: '127.0.0.1', port });
      const [error] = await once(client, 'error');
      server.close();
      if (error.code !== 'ECONNREFUSED') throw error;
    },
  },
  'an unref timer fires while a server is open': {
    run: async () => {
      const server = net.createServer();
      await serve(server);
      await answer((resolve) => {
        setTimeout(resolve, 10).unref();
      });
      server.close();
    },
  },
  'an unref timer does not fire once the server is closed': {
    endless: true,
    run: async () => {
      const server = net.createServer();
      await serve(server);
      server.close();
      await answer((_resolve, reject) => setTimeout(() => reject(new Error('kept alive')), 10).unref());
    },
  },
};
