/** What is not of the run: the work of others, what is older than it, peers elsewhere, earlier and later runs. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fsp from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gated, random } from './support.ts';

describe('outside of the run', () => {
  it("the runner's timers, files and clock stay native while a run is on", async () => {
    let passed = 0;
    const outside = (async () => {
      const start = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await fsp.stat('.');
      await new Promise((resolve) => setImmediate(resolve));
      passed = Date.now() - start;
    })();
    const { clockMs, steps } = await gated(async () => {
      for (let i = 0; i < 50; i++) await sleep(1000);
    });
    await outside;
    // Each time the loop wakes up a little more than a millisecond late.
    assert.equal(clockMs, 50_056);
    assert.equal(steps.length, 50);
    assert.ok(passed >= 19 && passed < 40_000, String(passed));
  });

  it('work begun outside is not counted as a request of the run', async () => {
    const pending = fsp.readFile('package.json');
    const { steps } = await gated(() => fsp.stat('.'));
    await pending;
    assert.deepEqual(steps, ['E:root|fs.stat#1', 'D:root|fs.stat#1']);
  });
});

describe('timers of others', () => {
  it('fire although the run has timers of the same delay', async () => {
    const outside = AsyncResource.bind((value: string) => sleep(7, value));
    const cancelled = AsyncResource.bind(() => clearTimeout(setTimeout(() => {}, 7)));
    let others: Promise<string>[] = [];
    const { status } = await gated(async () => {
      await sleep(7);
      others = [outside('first')];
      cancelled();
      await sleep(7);
      others.push(outside('second'));
    });
    assert.equal(status, 'ok');
    assert.deepEqual(await Promise.all([...others, sleep(7, 'later')]), ['first', 'second', 'later']);
  });
});

describe('many runs in one process', () => {
  it('file requests may be collected at any moment', () => {
    const program = new URL('processes/collected-requests.ts', import.meta.url);
    const { signal, status } = spawnSync(process.execPath, [
      '--no-warnings',
      '--max-semi-space-size=1',
      fileURLToPath(program),
    ]);
    assert.deepEqual([signal, status], [null, 0]);
  });

  it('leave no memory behind', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const main = () =>
      Promise.all(
        [0, 1].map(async () => {
          for (let i = 0; i < 3; i++) await sleep(1 + i);
        }),
      );
    const used = async (runs: number) => {
      for (let i = 0; i < runs; i++) await random(main, i);
      collect();
      return process.memoryUsage().heapUsed;
    };
    await used(2000);
    const before = await used(10);
    const grown = (await used(10_000)) - before;
    assert.ok(grown < 5_000_000, `${grown} bytes`);
  });
});

describe('the peer of a socket', () => {
  const client = (port: number): string =>
    `require('net').connect(${port}, '127.0.0.1').on('error', () => {}).end('x')`;

  it('one in the same process does not make a failure doubtful', async () => {
    const { doubts, ungated } = await gated(async () => {
      const server = net.createServer((socket) => socket.end('x')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      for await (const _ of net.connect((server.address() as net.AddressInfo).port, '127.0.0.1'));
      server.close();
    });
    assert.deepEqual([doubts, ungated], [[], {}]);
  });

  it('one in another process does', async () => {
    let child: ChildProcess | undefined;
    const { status, doubts, ungated } = await gated(async () => {
      const server = net.createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      child = spawn(process.execPath, ['-e', client((server.address() as net.AddressInfo).port)]);
      const [socket] = await once(server, 'connection');
      server.close();
      for await (const chunk of socket) assert.equal(String(chunk), 'x');
      throw new Error('failed');
    });
    if (child?.exitCode === null) await once(child, 'exit');
    assert.equal(status, 'fail');
    assert.deepEqual(doubts, ['net.Socket to another process']);
    assert.equal(ungated['net.Socket to another process'], 1);
  });
});

describe('what is older than the run', () => {
  it('a server takes part in every run', async () => {
    const store = new AsyncLocalStorage<string>();
    let balance = 0;
    const seen: unknown[] = [];
    const server = http.createServer(async (_request, response) => {
      seen.push(store.getStore());
      const before = balance;
      await fsp.stat('.');
      balance = before + 1;
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const balances = new Set<number>();
    for (let seed = 1; seed <= 20; seed++) {
      balance = 0;
      const { status, doubts } = await random(
        () =>
          store.run('client', () =>
            Promise.all(
              [1, 2].map(async () => {
                const headers = { connection: 'close' };
                await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
              }),
            ),
          ),
        seed,
      );
      assert.deepEqual([status, doubts], ['ok', []]);
      balances.add(balance);
    }
    // Natively it answers again.
    await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    assert.deepEqual([...balances].sort(), [1, 2]);
    assert.deepEqual([...new Set(seen)], [undefined], 'the store of the client is not that of the server');
  });

  for (const [name, agent] of Object.entries({
    'the built-in fetch': null,
    'the agent of all': http.globalAgent,
    'an agent of its own': new http.Agent({ keepAlive: true }),
  }))
    it(`connections that ${name} keeps for later are renewed`, async () => {
      let balance = 0;
      const server = http.createServer(async (_request, response) => {
        const before = balance;
        await fsp.stat('.');
        balance = before + 1;
        response.end('x');
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`;
      const get = async () => {
        if (agent === null) return (await fetch(url)).text();
        const [response] = await once(http.get(url, { agent }), 'response');
        for await (const _ of response);
      };
      await get();
      const balances = new Set<number>();
      const steps = new Set<string>();
      for (let seed = 1; seed <= 20; seed++) {
        balance = 0;
        const result = await random(() => Promise.all([get(), get()]), seed);
        assert.deepEqual([result.status, result.doubts], ['ok', []]);
        balances.add(balance);
        steps.add(result.steps.filter((step) => step.includes('net.connect')).join());
      }
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      assert.deepEqual([...balances].sort(), [1, 2]);
      assert.ok(![...steps].includes(''), 'every run connects anew');
    });

  it('clocks go on from what was read before the run', async () => {
    const clocks = {
      Date: () => Date.now(),
      'performance.now': () => performance.now(),
      'process.hrtime': () => {
        const [seconds, rest] = process.hrtime();
        return seconds * 1e3 + rest / 1e6;
      },
      'process.hrtime.bigint': () => Number(process.hrtime.bigint()) / 1e6,
      'process.uptime': () => process.uptime() * 1e3,
      'os.uptime': () => os.uptime() * 1e3,
    };
    /** The last one counts in hundredths of a second. */
    const TICK = 10;
    for (const [name, read] of Object.entries(clocks)) {
      const before = read();
      const started = performance.now();
      const { value: within = 0 } = await gated(read);
      assert.ok(within >= before - TICK, `${name} goes back by ${before - within} ms`);
      assert.ok(within <= before + performance.now() - started + TICK, `${name} leaps by ${within - before}`);
    }
  });

  type Connected = Awaited<ReturnType<typeof connected>>;

  /** Both ends of a connection that a hook would have made, and its server. */
  async function connected(t: TestContext, options: net.ServerOpts = {}) {
    const server = net.createServer(options).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const [[peer]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
      [net.Socket],
      unknown,
    ];
    t.after(() => {
      client.destroy();
      peer.destroy();
      server.close();
    });
    return { client, peer };
  }

  it('connections take part: what comes over them comes in any order', async (t) => {
    const pairs = [await connected(t), await connected(t)];
    for (const { peer } of pairs) peer.on('data', (data) => peer.write(data));
    const orders = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const order: number[] = [];
      const { status, doubts, steps } = await random(
        () =>
          Promise.all(
            pairs.map(async ({ client }, at) => {
              client.write('x');
              await once(client, 'data');
              order.push(at);
            }),
          ),
        seed,
      );
      assert.deepEqual([status, doubts], ['ok', []]);
      assert.equal(steps.filter((step) => step.includes('net.read')).length >= 4, true, steps.join());
      orders.add(order.join());
    }
    assert.deepEqual([...orders].sort(), ['0,1', '1,0']);
    // Between runs they are as they were.
    const [{ client, peer }] = pairs as [Connected, Connected];
    client.write('y');
    assert.equal(String(await once(client, 'data')), 'y');
    client.end();
    await once(peer, 'end');
  });

  it('a connection that ends in the run ends for both, in the order in which it was written to', async (t) => {
    for (let seed = 1; seed <= 10; seed++) {
      const { client, peer } = await connected(t);
      const { status, doubts, value } = await random(async () => {
        let got = '';
        peer.on('data', (data) => (got += data));
        client.write('a');
        client.end('b');
        await once(peer, 'end');
        peer.end();
        await once(client, 'close');
        return got;
      }, seed);
      assert.deepEqual([status, doubts, value], ['ok', [], 'ab']);
    }
  });

  /** What is so of every connection in real Node. */
  const GUARANTEED: Record<string, (pair: Connected) => Promise<unknown>> = {
    'what is written is read, all of it and in its order': async ({ client, peer }) => {
      const sent = Buffer.alloc(3_000_000, 'abcdefg');
      const [got] = await Promise.all([
        peer.toArray(),
        new Promise<void>((done) =>
          client.write(sent.subarray(0, 10), () => client.end(sent.subarray(10), done)),
        ),
      ]);
      assert.ok(Buffer.concat(got).equals(sent));
    },
    'answers come in the order of what was asked': async ({ client, peer }) => {
      peer.on('data', (data) => peer.write(data));
      let got = '';
      client.on('data', (data) => (got += data));
      for (const letter of 'abc') {
        client.write(letter);
        if (letter === 'b') await once(client, 'data');
      }
      while (got.length < 3) await once(client, 'data');
      assert.equal(got, 'abc');
    },
    'what is not read yet is read later': async ({ client, peer }) => {
      peer.pause();
      client.write('x');
      await sleep(10);
      client.write('y');
      await sleep(10);
      let got = '';
      await new Promise<void>((done) =>
        peer.on('data', (data) => (got += data).length === 2 && done()).resume(),
      );
      assert.equal(got, 'xy');
    },
    'who is cut off hears of it': async ({ client, peer }) => {
      client.write('x');
      peer.resetAndDestroy();
      const [error] = await once(client, 'error');
      assert.match((error as NodeJS.ErrnoException).code!, /^(?:ECONNRESET|EPIPE)$/);
      await once(client, 'close');
    },
  };
  for (const [name, use] of Object.entries(GUARANTEED))
    it(`of a connection, too: ${name}`, async (t) => {
      for (let seed = 1; seed <= 12; seed++) {
        const pair = await connected(t);
        const { status, doubts, error } = await random(() => use(pair), seed);
        assert.deepEqual([status, doubts, error], ['ok', [], undefined], `seed ${seed}`);
      }
    });

  it('connections take part of which their server has not heard so far', async (t) => {
    let accepted = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const server = net.createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as net.AddressInfo;
      const clients = Array.from({ length: 10 }, () => net.connect(port, '127.0.0.1'));
      t.after(() => {
        for (const client of clients) client.destroy();
        server.close();
      });
      await Promise.all(clients.map((client) => once(client, 'connect')));
      const echo = async (client: net.Socket) => {
        client.write('x');
        await once(client, 'data');
      };
      const { status, doubts, steps } = await random(() => Promise.all(clients.map(echo)), seed);
      assert.deepEqual([status, doubts], ['ok', []]);
      accepted += steps.filter((step) => step.includes('net.accept')).length;
    }
    assert.ok(accepted > 0);
  });

  it('what is on the way as the run begins comes in it, as late as it may', async (t) => {
    const orders = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const pair = await connected(t, { pauseOnConnect: true });
      pair.client.write('early');
      await sleep(1);
      const { status, doubts, value } = await random(async () => {
        const order: string[] = [];
        pair.peer.on('data', (data) => order.push(String(data)));
        pair.peer.resume();
        await Promise.all([once(pair.peer, 'data'), fsp.stat('.').then(() => order.push('file'))]);
        return order.join();
      }, seed);
      assert.deepEqual([status, doubts], ['ok', []]);
      orders.add(value!);
    }
    assert.deepEqual([...orders].sort(), ['early,file', 'file,early']);
  });

  const DOUBTFUL = {
    'that its server has closed': [{}, ({ peer }: Connected) => peer.end()],
    'whose other end was closed by half': [{ allowHalfOpen: true }, ({ peer }: Connected) => peer.end()],
  } as const;
  for (const [name, [options, before]] of Object.entries(DOUBTFUL))
    it(`a connection ${name} makes a failure doubtful`, async (t) => {
      const pair = await connected(t, options);
      before(pair);
      await sleep(1);
      // It is as old for the second run.
      for (const _ of ['first', 'second']) {
        const { doubts } = await gated(async () => {
          pair.client.write('x');
          pair.peer.resume();
          await once(pair.peer, 'data');
        });
        assert.deepEqual(doubts, ['net.Socket opened before the run']);
      }
    });

  it('a connection whose server Node reads for by itself takes part, with the request that is under way', async (t) => {
    let waiting: http.ServerResponse | null = null;
    const server = http.createServer((_, response) => (waiting = response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const agent = new http.Agent({ keepAlive: true });
    const { port } = server.address() as net.AddressInfo;
    for (let seed = 1; seed <= 10; seed++) {
      waiting = null;
      const request = http.get({ port, agent });
      await once(server, 'request');
      const { doubts, status, value } = await random(async () => {
        waiting!.end('late');
        const [response] = await once(request, 'response');
        return String(Buffer.concat(await response.toArray()));
      }, seed);
      assert.deepEqual([status, value, doubts], ['ok', 'late', []], `seed ${seed}`);
    }
    agent.destroy();
  });
});
