/** The life of a run: errors, ends, what is left over, what stays outside. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHistogram, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { after, describe, it } from 'node:test';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { HostRequest } from '../../../monitor/host/request.ts';
import { PrefixStrategy } from '../../../rescheduler/strategies/prefix.ts';
import type { Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { Directories, gated, limits, random } from './support.ts';

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
    { status: 'ok', clockMs: 60_000, ungated: {}, doubts: [] },
  );
  const { port1, port2 } = new MessageChannel();
  const stuck = await gated(() => once(port2, 'message'));
  port1.close();
  assert.equal(stuck.status, 'deadlock');
});

describe('errors', () => {
  const cases: Record<string, [() => unknown, 'exception' | 'rejection' | 'main']> = {
    'a timer callback throws': [forever(() => setTimeout(boom, 5)), 'exception'],
    'an immediate throws': [forever(() => setImmediate(boom)), 'exception'],
    'a file callback throws': [forever(() => fs.stat('.', boom)), 'exception'],
    'a tick throws': [forever(() => fs.stat('.', () => process.nextTick(boom))), 'exception'],
    'a microtask throws': [forever(() => fs.stat('.', () => queueMicrotask(boom))), 'exception'],
    'a callback throws after other work': [
      forever(() => [setTimeout(boom, 5), setTimeout(() => {}, 6), fsp.stat('.')]),
      'exception',
    ],
    'a rejection that nobody handles': [
      () => {
        Promise.reject(new Error('boom'));
        return sleep(5);
      },
      'rejection',
    ],
    'main rejects': [() => sleep(5).then(boom), 'main'],
    'main throws': [boom, 'main'],
  };
  function boom(): never {
    throw new Error('boom');
  }
  for (const [name, [main, origin]] of Object.entries(cases))
    it(name, async () => {
      for (let i = 0; i < 3; i++) {
        const result = await gated(main as () => Promise<void>);
        assert.equal(result.status, 'fail');
        assert.equal(result.origin, origin);
        assert.equal((result.error as Error).message, 'boom');
      }
      assert.equal((await gated(() => sleep(5, 'fine'))).value, 'fine');
    });

  it('the timer after the one that throws still fires when the program handles the error', async () => {
    const { status, value } = await gated(async () => {
      const seen: string[] = [];
      const handler = (error: Error) => seen.push(error.message);
      process.on('uncaughtException', handler);
      setTimeout(() => {
        throw new Error('first');
      }, 5);
      setTimeout(() => seen.push('second'), 5);
      await sleep(10);
      process.off('uncaughtException', handler);
      return seen;
    });
    assert.deepEqual([status, value], ['ok', ['first', 'second']]);
  });

  it('the program may handle its own rejections', async () => {
    const { status, value } = await gated(async () => {
      const seen: unknown[] = [];
      const handler = (reason: unknown) => seen.push(reason);
      process.on('unhandledRejection', handler);
      Promise.reject('late');
      await sleep(5);
      process.off('unhandledRejection', handler);
      return seen;
    });
    assert.deepEqual([status, value], ['ok', ['late']]);
  });

  it("the runner's own listeners are there again afterwards", async () => {
    const before = process.listeners('uncaughtException');
    await gated(() => never());
    assert.deepEqual(process.listeners('uncaughtException'), before);
  });
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
  it('an open socket for datagrams may hear from anybody: no deadlock', async () => {
    const socket = dgram.createSocket('udp4');
    const { status } = await gated(async () => {
      socket.bind(0, '127.0.0.1');
      await once(socket, 'message');
    });
    assert.equal(status, 'watchdog');
    socket.close();
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

  it('an open server keeps it from being a deadlock', async () => {
    let server: net.Server | undefined;
    const { status } = await gated(() => {
      server = net.createServer().listen(0);
      return never();
    });
    server?.close();
    assert.equal(status, 'watchdog');
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
    const { value, steps } = await gated(() => written(pause));
    assert.equal(value, 'ab');
    assert.match(steps[0]!, /^\d:.*fs.write/);
    assert.equal((await gated(() => written(() => {}))).value, 'ba');
    assert.equal((await gated(() => written(pause), { strategy: new PrefixStrategy(steps) })).value, 'ab');
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
    assert.equal(clockMs, 50_000);
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

describe('what is told', () => {
  it('lateness in virtual time', async () => {
    const late = ['E:root|fs.stat#1', 'D:root|setTimeout#1', 'D:root|fs.stat#1'];
    const {
      steps,
      requiredStallMs,
      late: requests,
    } = await gated(() => Promise.all([fsp.stat('package.json'), sleep(120)]), {
      strategy: new PrefixStrategy(late),
    });
    assert.deepEqual(steps, late);
    assert.equal(requiredStallMs, 120);
    assert.deepEqual(requests, [{ api: 'fs.stat', what: 'package.json', ms: 120 }]);
  });

  it('a timer that overtakes: the answer that must have come later, where there is one', async () => {
    const late = [
      'E:root|fs.stat#1',
      'D:root|fs.stat#1',
      'D:root|setTimeout#1',
      'D:root|fs.stat#1>setTimeout#1',
    ];
    const { steps, requiredStallMs } = await gated(
      () => Promise.all([sleep(200), fsp.stat('.').then(() => sleep(50))]),
      { strategy: new PrefixStrategy(late) },
    );
    assert.deepEqual(steps, late);
    assert.equal(requiredStallMs, 150);
  });

  it('no lateness in the observed order', async () => {
    const { requiredStallMs, clockMs } = await gated(async () => {
      await Promise.all([fsp.readFile('package.json'), sleep(30), fsp.stat('.')]);
    });
    assert.deepEqual([requiredStallMs, clockMs], [0, 30]);
  });

  it('the time that answers take shows to who looks at the clock, and to nobody else', async () => {
    const reading = async (what: () => Promise<unknown>, looks: boolean) => {
      const { value, clockMs } = await gated(async () => {
        const start = looks ? Date.now() : 0;
        await what();
        return looks ? Date.now() - start : 0;
      });
      return [value, clockMs];
    };
    const answers = async () => {
      for (let i = 0; i < 110; i++) await fsp.stat('.');
    };
    assert.deepEqual(await reading(answers, true), [2, 2]);
    assert.deepEqual(await reading(answers, false), [0, 0]);
    const waits = async () => {
      await Promise.all([answers(), sleep(30)]);
    };
    assert.deepEqual(await reading(waits, true), [30, 30], 'the loop slept beside them');
    const file = await fsp.open('package.json');
    assert.deepEqual(await reading(() => file.datasync(), true), [1, 1]);
    assert.deepEqual(await reading(async () => fs.fsyncSync(file.fd), true), [1, 1]);
    await file.close();
  });

  it('choices, where wanted: each step is one of those that were enabled', async () => {
    const { steps, choices } = await gated(() => Promise.all([fsp.stat('.'), sleep(3), immediate()]), {
      wantChoices: true,
    });
    assert.equal(choices?.length, steps.length);
    assert.ok(steps.every((step, i) => choices?.[i]?.includes(step)));
  });

  it('a strategy that stops: where, what was wanted, what came instead; the run goes on', async () => {
    const main = () => Promise.all([sleep(10), sleep(20)]);
    const blocked = await gated(main, { strategy: new PrefixStrategy(['D:root|setTimeout#2']) });
    assert.deepEqual(blocked.stopped, {
      stop: 'infeasible',
      wanted: 'D:root|setTimeout#2',
      step: 0,
      instead: 'D:root|setTimeout#1',
    });
    assert.equal(blocked.status, 'ok');
    const absent = await gated(main, { strategy: new PrefixStrategy(['D:root|setTimeout#3']) });
    assert.equal(absent.stopped?.stop, 'diverged');
  });

  it('what the observer hears', async () => {
    const heard: string[] = [];
    const hear = (what: string) => (request: HostRequest) => heard.push(`${what} ${request.api}`);
    await gated(
      async () => {
        fs.existsSync('package.json');
        await fsp.stat('package.json');
        await sleep(1);
      },
      {
        observer: {
          issued: hear('issued'),
          effect: hear('effect'),
          turn: hear('turn'),
          touched: hear('touched'),
          turnEnd: () => heard.push('end'),
          settled: () => heard.push('settled'),
        },
      },
    );
    assert.deepEqual(heard, [
      'touched fs.existsSync',
      'issued fs.stat',
      'effect fs.stat',
      'turn fs.stat',
      'issued setTimeout',
      'end',
      'turn setTimeout',
      'settled',
      'end',
    ]);
  });

  it('what a run has closed is told even if the process stands still when it ends', async () => {
    const server = net.createServer((socket) => socket.resume()).listen(0);
    await once(server, 'listening');
    const stall = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    const { status, value } = await gated(
      async () => {
        const client = net.connect((server.address() as net.AddressInfo).port);
        const [accepted] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
        const sockets = [client, accepted[0] as net.Socket];
        const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
        for (const socket of sockets) socket.destroy();
        return { closed };
      },
      { observer: { settled: stall } },
    );
    assert.equal(status, 'ok');
    server.close();
    const late = sleep(10_000, 'never', { ref: false });
    assert.notEqual(await Promise.race([value!.closed, late]), 'never');
  });

  it('names do not depend on the order', async () => {
    const main = async () => {
      const task = async (ms: number) => {
        await sleep(ms);
        await fsp.stat('.');
        await Promise.all([sleep(1), immediate(), fsp.access('.')]);
      };
      await Promise.all([task(5), task(6), task(7)]);
    };
    const expected = (await gated(main)).steps.toSorted();
    for (let seed = 1; seed <= 30; seed++) {
      // A thread that is needed early shows as a step of its own.
      const steps = (await random(main, seed)).steps.filter((step) => !step.startsWith('X:'));
      assert.deepEqual(steps.toSorted(), expected);
    }
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

describe('domains', () => {
  it('get what callbacks throw in them, and nothing else', () => {
    const program = new URL('processes/domains.ts', import.meta.url);
    const { stdout } = spawnSync(process.execPath, ['--no-warnings', fileURLToPath(program)], {
      encoding: 'utf8',
    });
    const ends = 'Error: boom fail Error: boom';
    assert.deepEqual(stdout.trim().split('\n'), [`file ${ends}`, `timer ${ends}`, `immediate ${ends}`]);
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

  it('a connection makes a failure doubtful', async () => {
    const server = net.createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const { doubts } = await gated(async () => {
      socket.write('x');
      await once(socket, 'data');
    });
    socket.destroy();
    server.close();
    assert.deepEqual(doubts, ['net.Socket opened before the run']);
  });
});

it('a program may remove the directory that it works in', async () => {
  const here = process.cwd();
  try {
    const { status, error } = await gated(async () => {
      const dir = await fsp.mkdtemp(join(tmpdir(), 'gone-'));
      process.chdir(dir);
      fs.rmdirSync(dir);
      await fsp.stat('/');
    });
    assert.equal(status, 'ok', String(error));
  } finally {
    process.chdir(here);
  }
});

describe('what is neither held nor foreseen makes a failure doubtful', () => {
  const uses: Record<string, [() => unknown, string]> = {
    'the time stamp of an event': [() => new Event('x').timeStamp, 'time stamps of events'],
    'a worker': [() => new Worker('', { eval: true }), 'Worker'],
    TLS: [
      () =>
        tls
          .connect({ socket: new net.Socket() })
          .on('error', () => {})
          .destroy(),
      'TLS',
    ],
    'HTTP/2': [() => http2.createServer(), 'HTTP/2'],
  };
  it('the timings of a resource, when they are asked for', async () => {
    const fetched = async (): Promise<void> => {
      const server = http.createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as net.AddressInfo;
      await (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text();
      server.close();
    };
    assert.deepEqual((await gated(fetched)).doubts, []);
    const { doubts } = await gated(async () => {
      await fetched();
      return performance.getEntriesByType('resource').at(-1)!.duration;
    });
    assert.deepEqual(doubts, ['timings of resources']);
  });
  it('times that Node takes by its own clock, where that of the run has leapt', async () => {
    const measured = (ms: number) =>
      gated(async () => {
        const histogram = createHistogram();
        histogram.recordDelta();
        await sleep(ms);
        histogram.recordDelta();
      });
    assert.deepEqual((await measured(1)).doubts, []);
    assert.deepEqual((await measured(5000)).doubts, ['timings that Node takes']);
    const { doubts } = await gated(async () => {
      const observed = new Promise<{ readonly duration: number }>((resolve) =>
        new PerformanceObserver((list) => resolve(list.getEntries()[0]!)).observe({
          entryTypes: ['function'],
        }),
      );
      await performance.timerify(() => sleep(5000))();
      return (await observed).duration;
    });
    assert.deepEqual(doubts, ['timings that Node takes']);
  });
  it('histograms that Node fills by its own clock, where that of the run has leapt', async () => {
    const reading = (ms: number) =>
      gated(async () => {
        const timed = createHistogram();
        const given = createHistogram();
        given.record(5);
        const delays = monitorEventLoopDelay();
        delays.enable();
        await performance.timerify(() => sleep(ms), { histogram: timed })();
        delays.disable();
        return [given.max, ms > 1000 ? timed.max : delays.mean];
      });
    assert.deepEqual((await reading(1)).doubts, []);
    assert.deepEqual((await reading(5000)).doubts, ['timings that Node takes']);
  });

  it('the time that a child tells, where the clock of the run has leapt', async () => {
    const telling = (ms: number, command: string) =>
      gated(async () => {
        await sleep(ms);
        const [text] = await once(spawn('sh', ['-c', command]).stdout, 'data');
        return String(text) + spawnSync('sh', ['-c', command]).stdout;
      });
    assert.deepEqual((await telling(1, 'date +%s')).doubts, []);
    assert.deepEqual((await telling(5000, 'date +%s')).doubts, ['the clock of a child process']);
    assert.deepEqual((await telling(5000, 'date -Is')).doubts, ['the clock of a child process']);
    assert.deepEqual((await telling(5000, 'echo 1234567890 of 17')).doubts, []);
  });

  it('a signal, when it comes', async () => {
    const { doubts } = await gated(async () => {
      const child = spawn('sleep', ['0.05']);
      const come = Promise.all([once(process, 'SIGHUP'), once(child, 'exit')]);
      process.kill(process.pid, 'SIGHUP');
      await come;
    });
    assert.deepEqual(doubts, ['a signal']);
    const { doubts: none } = await gated(async () => {
      process.once('SIGHUP', () => {});
      process.removeAllListeners('SIGHUP');
      await sleep(5);
    });
    assert.deepEqual(none, []);
  });

  it('standard input', () => {
    const program = new URL('processes/standard-input.ts', import.meta.url);
    const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', fileURLToPath(program)], {
      input: 'x',
      encoding: 'utf8',
    });
    assert.equal(stdout, 'x standard input\n', stderr);
  });

  for (const [name, [use, doubt]] of Object.entries(uses))
    it(name, async () => {
      const { doubts } = await gated(async () => {
        use();
        await sleep(5);
      });
      assert.deepEqual(doubts, [doubt]);
    });

  it('messages and children do not', async () => {
    const { doubts } = await gated(async () => {
      const { port1, port2 } = new MessageChannel();
      port1.postMessage(1);
      await once(port2, 'message');
      port1.close();
      await once(spawn('true'), 'close');
    });
    assert.deepEqual(doubts, []);
  });
});
