/** What is neither held nor foreseen makes a failure doubtful. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { createHistogram, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import { runInThisContext } from 'node:vm';
import { MessageChannel, Worker } from 'node:worker_threads';
import { gated } from './support.ts';

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
    'memory, where a test measures it': [() => process.memoryUsage(), 'measures of memory and CPU'],
    'resident memory, where a test measures it': [
      () => process.memoryUsage.rss(),
      'measures of memory and CPU',
    ],
    'the CPU, where a test measures it': [() => process.cpuUsage(), 'measures of memory and CPU'],
    'the heap, where a test measures it': [() => v8.getHeapStatistics(), 'measures of memory and CPU'],
  };
  it('but not the use of memory that the program tells of itself', async () => {
    const program = runInThisContext('(() => process.memoryUsage())', { filename: '/home/me/src/health.js' });
    assert.deepEqual((await gated(async () => program())).doubts, []);
  });
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

    const counting = (isTimed: boolean) =>
      gated(async () => {
        const [delays, timed] = [monitorEventLoopDelay(), createHistogram()];
        delays.enable();
        await performance.timerify(() => sleep(5000), { histogram: timed })();
        delays.disable();
        return (isTimed ? timed : delays).count;
      });
    assert.deepEqual((await counting(true)).doubts, [], 'as many as there were calls');
    assert.deepEqual((await counting(false)).doubts, ['timings that Node takes']);
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

  it('the time that a child is told, where the clock of the run has leapt', async () => {
    const asking: Record<string, (time: string) => unknown> = {
      'an argument': (time) => once(spawn('true', [time]), 'exit'),
      'an option': (time) => spawnSync('true', [`--since=${time}`]),
      input: (time) => spawnSync('cat', { input: time }),
      'what is written to it': async (time) => {
        const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
        child.stdin.end(time);
        await once(child, 'exit');
      },
    };
    for (const [how, ask] of Object.entries(asking))
      for (const ms of [1, 5000]) {
        const { status, doubts } = await gated(async () => {
          await sleep(ms);
          await ask(how === 'an option' ? new Date().toISOString() : String(Date.now()));
        });
        assert.equal(status, 'ok');
        assert.deepEqual(doubts, ms > 1 ? ['the clock of a child process'] : [], how);
      }
    const { doubts } = await gated(async () => {
      await sleep(5000);
      spawnSync('true', [`/tmp/of-${Date.now()}/a`]);
    });
    assert.deepEqual(doubts, [], 'the name of a file');
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
