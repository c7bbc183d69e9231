/** How a run ends: settled, stuck, late, or with nothing left to do; and what is left over. */
import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';
import { DirectedStrategy } from '../../../rescheduler/strategies/directed.ts';
import { ObservedStrategy } from '../../../rescheduler/strategies/observed.ts';
import type { Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { temporary } from '../../temporary.ts';
import { Directories, gated, limits } from './support.ts';

const directories = new Directories();
after(() => directories.remove());
const never = () => new Promise<never>(() => {});
/** A main that starts something and never settles. */
const forever = (start: () => unknown) => () => {
  start();
  return never();
};

it('time leaps beside a port of this thread, and a run that waits for a message nobody sends is a deadlock', async () => {
  const { status, clockMs, ungated, doubts } = await gated(async () => {
    const { port1, port2 } = new MessageChannel();
    const got = once(port2, 'message');
    await sleep(60_000);
    port1.postMessage('x');
    await got;
    port1.close();
  });
  assert.deepEqual(
    { status, clockMs, ungated, doubts },
    { status: 'ok', clockMs: 60_060, ungated: {}, doubts: [] },
  );
  const { port1, port2 } = new MessageChannel();
  const stuck = await gated(() => once(port2, 'message'));
  port1.close();
  assert.equal(stuck.status, 'deadlock');
});

describe('ends', () => {
  it('nothing left to do: deadlock', async () => {
    const { status, waits } = await gated(never);
    assert.deepEqual([status, waits], ['deadlock', []]);
  });

  it('a deadlock after work', async () => {
    assert.equal((await gated(() => Promise.all([sleep(5), fsp.stat('.'), never()]))).status, 'deadlock');
  });

  it('what was pending is told', async () => {
    const { status, waits } = await gated(forever(() => setTimeout(() => {}, 7000).unref()));
    assert.deepEqual([status, waits], ['deadlock', ['setTimeout 7000 ms (unref) of root']]);
  });

  it('an interval that keeps nothing alive is no progress', async () => {
    let server: net.Server | undefined;
    const { status, steps } = await gated(
      forever(() => {
        server = net.createServer().listen(0);
        setInterval(() => {}, 1000).unref();
      }),
    );
    server?.close();
    assert.equal(status, 'watchdog');
    assert.ok(steps.length < 300, String(steps.length));
  });
  it('an open socket for datagrams may hear from anybody who knows its port: no deadlock', async () => {
    const open = async (port: number) => {
      const socket = dgram.createSocket('udp4');
      const { status, doubts } = await gated(async () => {
        socket.bind(port, '127.0.0.1');
        await once(socket, 'message');
      });
      const bound = socket.address().port;
      await new Promise<void>((resolve) => socket.close(resolve));
      return { status, doubts, bound };
    };
    const { bound, ...chosen } = await open(0);
    assert.deepEqual(chosen, { status: 'deadlock', doubts: [] });
    const { status, doubts } = await open(bound);
    assert.deepEqual([status, doubts], ['watchdog', ['a socket for datagrams that others may know']]);
  });

  it('an interval that ends it after long is waited for while something else is pending', async () => {
    const { status } = await gated(
      () =>
        new Promise<void>((resolve) => {
          let ticks = 0;
          setTimeout(() => {}, 10_000);
          const interval = setInterval(() => ++ticks === 400 && resolve(clearInterval(interval)), 10).unref();
        }),
    );
    assert.equal(status, 'ok');
  });

  it('an open server keeps it from being a deadlock where somebody may know its port', async () => {
    const open = async (port: number) => {
      const server = net.createServer();
      const { status, missing = '' } = await gated(() => {
        server.listen(port);
        return never();
      });
      const { port: bound } = server.address() as net.AddressInfo;
      server.close();
      await once(server, 'close');
      return { status, missing, bound };
    };
    const { bound, ...chosen } = await open(0);
    assert.deepEqual(chosen, { status: 'deadlock', missing: '' });
    const { status, missing } = await open(bound);
    assert.equal(status, 'watchdog');
    assert.match(missing, /perhaps for what comes from outside: .* a server that others may know$/);
  });

  it('a time-out of before the run, and what that sets off, may bring what it waits for', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const again = () => setTimeout(resolve, 30);
    setTimeout(() => net.connect(1, '127.0.0.1').on('error', () => setTimeout(again, 30)), 30);
    const { status, doubts } = await gated(() => promise);
    assert.deepEqual([status, doubts], ['ok', ['a timer that was set before the test']]);
  });

  it('the time that a runner gives a test brings nothing, nor does how a server of before looks after its connections', async () => {
    const filename = '/project/node_modules/mocha/lib/runnable.js';
    const timer = runInThisContext('() => setTimeout(() => {}, 600_000)', { filename })() as NodeJS.Timeout;
    const alone = await gated(never);
    const server = http.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const beside = await gated(never);
    clearTimeout(timer);
    server.close();
    for (const { status, doubts } of [alone, beside]) assert.deepEqual([status, doubts], ['deadlock', []]);
  });

  it('an HTTP server that looks after its connections does nothing else', async () => {
    let server: http.Server | undefined;
    const hangs = (options: http.ServerOptions, ask: (port: number) => unknown) =>
      gated(async () => {
        server = http.createServer(options).listen(0, '127.0.0.1');
        await once(server, 'listening');
        ask((server.address() as net.AddressInfo).port);
        await once(server, 'request');
      });
    const { status, steps, waits } = await hangs({}, () => {});
    assert.deepEqual([status, waits], ['deadlock', []]);
    assert.ok(steps.length < 10, String(steps.length));
    server?.close();
    // A request that is not complete it will refuse.
    const refused: unknown[] = [];
    const { status: unfinished } = await hangs({}, (port) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.on('data', (data) => refused.push(String(data)));
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1');
    });
    server?.close();
    assert.equal(unfinished, 'deadlock');
    assert.match(String(refused), /408 Request Timeout/);
  });

  it('timers without end: watchdog', async () => {
    const { status } = await gated(
      forever(() => setInterval(() => {}, 1)),
      {
        limits: { ...limits, watchdogMs: 100 },
      },
    );
    assert.equal(status, 'watchdog');
  });

  it('a script ends when nothing is left to do', async () => {
    const seen: string[] = [];
    const main = () => {
      setTimeout(() => fs.stat('.', () => seen.push('stat')), 50);
      setTimeout(() => seen.push('unref'), 60_000).unref();
    };
    assert.equal((await gated(main, { until: 'idle' })).status, 'ok');
    assert.deepEqual(seen, ['stat']);
    const failing = await gated(() => void setTimeout(() => Promise.reject(new Error('late')), 50), {
      until: 'idle',
    });
    assert.deepEqual([failing.status, failing.origin], ['fail', 'rejection']);
  });

  for (const [how, write] of Object.entries({
    'in the call': (file: string) => fs.writeFileSync(file, '1'),
    'by an answer': (file: string) => fs.mkdir(file, () => {}),
  }))
    it(`a watcher is told of what the process changed ${how} before a second timers phase`, async () => {
      let waits = 0;
      /** Timers before anything else, which it waits for as long as they may come. */
      const strategy: Strategy = {
        choose(ready) {
          const of = (api: string) => ready.find(({ request }) => request.api.startsWith(api));
          const wanted = of('setTimeout') ?? of('fs.mkdir');
          if (wanted || waits > 20) return wanted ?? ready[0]!;
          waits += 1;
          return { wait: 5 };
        },
      };
      const told: string[] = [];
      const { status } = await gated(
        async () => {
          const directory = directories.fresh();
          const watcher = fs.watch(directory, () => told.push('watcher'));
          await sleep(1);
          write(`${directory}/new`);
          await sleep(1);
          told.push('timer');
          await sleep(1);
          told.push('timer');
          watcher.close();
        },
        { strategy },
      );
      assert.equal(status, 'ok');
      assert.equal(told.indexOf('watcher') < 2 && told.includes('watcher'), true, told.join());
    });

  it('a script ends when a handle that brings no more is gone', async () => {
    const { status } = await gated(
      () => {
        const name = `${directories.fresh()}/none`;
        fs.watchFile(name, () => {});
        fs.unwatchFile(name);
      },
      { until: 'idle' },
    );
    assert.equal(status, 'ok');
  });

  it('a rejection that nobody handles is an exception to those who listen for these', async () => {
    const seen: unknown[] = [];
    const listen = (error: unknown, origin: string) => seen.push(String(error).slice(0, 40), origin);
    const rejecting = (reason: unknown) => async () => {
      process.once('uncaughtException', listen);
      void Promise.reject(reason);
      await sleep(1);
      process.off('uncaughtException', listen);
    };
    assert.equal((await gated(rejecting(new RangeError('one')))).status, 'ok');
    assert.equal((await gated(rejecting('two'))).status, 'ok');
    assert.deepEqual(seen, [
      ...['RangeError: one', 'unhandledRejection'],
      ...['UnhandledPromiseRejection: This error originated'.slice(0, 40), 'unhandledRejection'],
    ]);
  });

  it('what was asked for before a wait within the turn is done before a call behind it', async () => {
    const written = async (wait: () => unknown) => {
      const directory = directories.fresh();
      const fd = fs.openSync(`${directory}/a`, 'w');
      const done = new Promise((resolve) => fs.write(fd, 'a', resolve));
      wait();
      fs.writeSync(fd, 'b');
      await done;
      fs.closeSync(fd);
      return fs.readFileSync(`${directory}/a`, 'utf8');
    };
    const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    const busily = () => {
      for (let call = 0; call < 20; call++) fs.existsSync('.');
      pause();
    };
    for (const wait of [pause, busily]) {
      const { value, steps } = await gated(() => written(wait));
      assert.equal(value, 'ab');
      assert.match(steps[0]!, /^\d+:.*fs.write/);
      assert.equal(
        (await gated(() => written(wait), { strategy: new DirectedStrategy(steps, new ObservedStrategy()) }))
          .value,
        'ab',
      );
    }
    assert.equal((await gated(() => written(() => {}))).value, 'ba');
  });

  it('by itself a child that disconnects is disconnected before it has ended', async () => {
    const file = join(directories.fresh(), 'child.cjs');
    fs.writeFileSync(file, 'process.send(1); process.send(2); setTimeout(() => process.disconnect(), 5);');
    const { status, value } = await gated(async () => {
      const told: string[] = [];
      const child = fork(file, { execArgv: [], env: {} });
      for (const event of ['message', 'disconnect', 'exit', 'close']) child.on(event, () => told.push(event));
      await once(child, 'disconnect');
      await once(child, 'close');
      return told;
    });
    assert.deepEqual([status, value], ['ok', ['message', 'message', 'disconnect', 'exit', 'close']]);
  });

  it('a script ends beside pipes that were never opened, or that nobody reads', async () => {
    const unopened = () =>
      assert.throws(() => net.connect({ path: {} as string }), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.equal((await gated(unopened, { until: 'idle' })).status, 'ok');
    let seen = '';
    const passedOn = () => {
      const one = spawn('echo', ['x'], { stdio: ['ignore', 'pipe', 'ignore'] });
      const two = spawn('cat', { stdio: [one.stdout, 'pipe', 'ignore'] });
      two.stdout.on('data', (chunk) => {
        seen += chunk;
      });
    };
    assert.equal((await gated(passedOn, { until: 'idle' })).status, 'ok');
    assert.equal(seen, 'x\n');
  });

  it('what is left over is carried out, and nothing of it reaches the next run', async () => {
    const directory = directories.fresh();
    let ticks = 0;
    await gated(() => {
      void fsp.writeFile(`${directory}/left`, 'over');
      setInterval(() => ticks++, 10);
      setTimeout(() => {
        throw new Error('after the end');
      }, 20);
      return sleep(5);
    });
    assert.equal(fs.readFileSync(`${directory}/left`, 'utf8'), 'over');
    const before = ticks;
    assert.equal((await gated(() => sleep(1000))).status, 'ok');
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(ticks, before);
  });

  it('a timer of an earlier run can be cleared and refreshed without harm', async () => {
    let old: NodeJS.Timeout | undefined;
    let fired = 0;
    await gated(() => {
      old = setInterval(() => fired++, 100_000);
    });
    old?.refresh();
    clearInterval(old);
    await gated(() => {
      old?.refresh();
      clearTimeout(old);
      return sleep(10);
    });
    assert.equal(fired, 0);
    assert.equal(await new Promise((resolve) => setTimeout(resolve, 2, 'native')), 'native');
  });

  it('one run at a time', async () => {
    const first = gated(() => sleep(5));
    await assert.rejects(
      gated(() => sleep(5)),
      /only one at a time/,
    );
    assert.equal((await first).status, 'ok');
  });
});

it('a program may remove the directory that it works in', async () => {
  const here = process.cwd();
  try {
    const { status, error } = await gated(async () => {
      const dir = await fsp.mkdtemp(join(temporary('ends'), 'gone-'));
      process.chdir(dir);
      fs.rmdirSync(dir);
      await fsp.stat('/');
    });
    assert.equal(status, 'ok', String(error));
  } finally {
    process.chdir(here);
  }
});

it('what fetch has left open is closed behind the run, as whoever closes its server waits for it', async () => {
  const server = http.createServer((_, response) => {
    response.write('a');
    setTimeout(() => response.end('b'), 5);
  });
  const { status } = await gated(async () => {
    await once(server.listen(0), 'listening');
    const aborting = new AbortController();
    for (const options of [{}, aborting]) {
      const { body } = await fetch(`http://localhost:${(server.address() as net.AddressInfo).port}`, options);
      await body!.getReader().read();
    }
    setTimeout(() => aborting.abort(), 2);
    await sleep(25);
  });
  assert.equal(status, 'ok');
  await new Promise((resolve) => server.close(resolve));
});
