/** Programs that use what the gate does not control: they run to their right end, and time does not outrun them. */
import { execFile, spawn } from 'node:child_process';
import crypto from 'node:crypto';
import { Resolver } from 'node:dns';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import v8 from 'node:v8';
import vm from 'node:vm';
import { MessageChannel, Worker } from 'node:worker_threads';
import zlib from 'node:zlib';
import { natively } from '../../../../rescheduler/gate/session.ts';
import { answer, type Case, impossible } from './program.ts';

/** Whether `work` ends before a timer of `ms`; the timer is cleared. */
async function sooner(ms: number, work: Promise<unknown>): Promise<void> {
  const control = new AbortController();
  const late = sleep(ms, 'late', { signal: control.signal }).catch(() => 'cancelled');
  const winner = await Promise.race([work.then(() => 'work'), late]);
  control.abort();
  if (winner !== 'work') impossible(`it took more than ${ms} ms`);
}

/** Collects garbage; the flag is no longer needed once the function is there. */
function collect(): void {
  v8.setFlagsFromString('--expose-gc');
  (vm.runInNewContext('gc') as () => void)();
}

async function listening(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as net.AddressInfo).port;
}

export const outside: Record<string, Case> = {
  'pbkdf2 takes less than 20 s': {
    needs: 'bounded',
    slow: true,
    run: () => sooner(20_000, promisify(crypto.pbkdf2)('a', 'b', 1000, 8, 'sha1')),
  },
  'gzip takes less than 20 s': { slow: true, run: () => sooner(20_000, promisify(zlib.gzip)('a')) },
  'digest takes less than 20 s': {
    slow: true,
    run: () => sooner(20_000, crypto.subtle.digest('SHA-256', Buffer.from('a'))),
  },
  'a child takes less than 60 s': {
    needs: 'leaps',
    slow: true,
    orders: 2,
    run: () => sooner(60_000, once(spawn('sleep', ['0.3']), 'exit')),
  },
  'what an addon does in a thread takes less than 60 s': {
    slow: true,
    orders: 2,
    run: async () => {
      const { parseAstAsync } = await natively(() => import('rolldown/parseAst'));
      await sooner(60_000, parseAstAsync('let a = 1'));
    },
  },
  'what the blob of a file holds comes': {
    orders: 8,
    run: async (dir) => {
      fs.writeFileSync(`${dir}/long`, 'x'.repeat(200_000));
      const blob = await fs.openAsBlob(`${dir}/long`);
      const [text, bytes] = await Promise.all([blob.text(), blob.bytes(), new Blob(['a', blob]).text()]);
      if (text.length !== 200_000 || bytes.length !== 200_000) impossible('it holds something else');
    },
  },
  'news of a folder take less than 60 s': {
    slow: true,
    orders: 2,
    run: async (dir) => {
      const control = new AbortController();
      const watched = fsp.watch(dir, { signal: control.signal })[Symbol.asyncIterator]().next();
      fs.writeFileSync(`${dir}/new`, '');
      await sooner(60_000, watched);
      control.abort();
    },
  },
  'what a child wrote is read before its end is told': {
    needs: 'fifo',
    orders: 4,
    run: async () => {
      const child = spawn('sh', ['-c', 'echo a; echo b']);
      let told = '';
      child.stdout.on('data', (data) => {
        told += data;
      });
      await once(child, 'exit');
      if (told !== 'a\nb\n') impossible(`its end came before what it wrote: ${JSON.stringify(told)}`);
    },
  },
  'a pipe through which nothing came is known to be closed before the end of a child is': {
    needs: 'fifo',
    orders: 4,
    run: async () => {
      const child = spawn('true');
      const closed: string[] = [];
      child.stdout.on('end', () => closed.push('stdout')).resume();
      await once(child, 'exit');
      if (closed.length === 0) impossible('its end came first');
    },
  },
  'the end of a child that has come is not 20 s late': {
    needs: 'bounded',
    slow: true,
    orders: 20,
    run: () => sooner(20_000, once(spawn('true', { stdio: 'ignore' }), 'exit')),
  },
  'what a child leaves behind takes less than 60 s': {
    needs: 'leaps',
    slow: true,
    orders: 2,
    run: async () => {
      const child = spawn('sh', ['-c', 'sleep 0.3 &'], { stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout.resume();
      await sooner(60_000, once(child, 'close'));
    },
  },
  'bytes of a child are counted when they are told': {
    needs: 'traceless',
    orders: 8,
    run: async () => {
      const stdout = spawn('printf', ['abc']).stdout as net.Socket;
      let told = 0;
      stdout.on('data', (chunk) => {
        told += chunk.length;
      });
      const ended = once(stdout, 'end');
      for (let left = 40; left > 0; left--) {
        await immediate();
        if (stdout.bytesRead !== told) impossible(`${stdout.bytesRead} bytes counted, ${told} told`);
      }
      await ended;
    },
  },
  'callbacks behind a digest have their microtasks behind them': {
    needs: 'drains',
    run: () =>
      answer((resolve, reject) => {
        let busy = false;
        let left = 4;
        const alone = () => {
          if (busy) reject(new Error('two at a time'));
          busy = true;
          queueMicrotask(() => {
            busy = false;
            left -= 1;
            if (left === 0) resolve();
          });
        };
        void crypto.subtle.digest('SHA-256', Buffer.from('a')).then(alone);
        for (let i = 0; i < 3; i++) fs.stat('.', alone);
      }),
  },
  'what the engine has not compiled before comes behind the immediates of that turn': {
    orders: 20,
    run: async () => {
      const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: any };
      // Node 26 does it in one poll phase.
      if (Number.parseInt(process.versions.node, 10) >= 26) return;
      // A section that means nothing, with another name each time.
      const section = [2, 97, 98, ...crypto.randomBytes(8)];
      let checked = false;
      setImmediate(() => {
        checked = true;
      });
      await wasm.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 0, section.length, ...section]));
      if (!checked) impossible('it was compiled before the immediate');
    },
  },
  'what waits for a file behind WebAssembly goes on': {
    run: async () => {
      const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: any };
      const compiled = wasm.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
      for (let i = 0; i < 3; i++) await fsp.stat('.');
      await sleep(5);
      await compiled;
    },
  },
  'exec output': {
    orders: 8,
    run: async () => {
      const { stdout } = await promisify(execFile)('echo', ['hi']);
      if (stdout !== 'hi\n') impossible(stdout);
    },
  },
  'a worker answers within 60 s': {
    slow: true,
    orders: 4,
    run: async () => {
      const worker = new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true });
      await sooner(60_000, once(worker, 'message'));
      await worker.terminate();
    },
  },
  'messages stay in order': {
    needs: 'fifo',
    run: async () => {
      const { port1, port2 } = new MessageChannel();
      const got: number[] = [];
      port2.on('message', (message) => got.push(message));
      for (let i = 0; i < 5; i++) port1.postMessage(i);
      while (got.length < 5) await immediate();
      port1.close();
      if (got.join('') !== '01234') impossible(got);
    },
  },
  'a message within this thread takes less than 300 ms': {
    needs: 'phases',
    run: async () => {
      const { port1, port2 } = new MessageChannel();
      await immediate();
      const got = once(port2, 'message');
      port1.postMessage('x');
      await sooner(300, got);
      port1.close();
    },
  },
  'a message comes before the end of a channel that was closed before it': {
    run: async () => {
      const [closed, open] = [new MessageChannel(), new MessageChannel()];
      let got = false;
      open.port2.on('message', () => {
        got = true;
      });
      const end = once(closed.port2, 'close').then(() => got || impossible('the end came first'));
      closed.port2.on('message', () => {});
      await immediate();
      closed.port1.close();
      open.port1.postMessage('x');
      await end;
      open.port1.close();
    },
  },
  'what a port sends itself comes before anything else': {
    run: () =>
      answer((resolve, reject) => {
        const { port1, port2 } = new MessageChannel();
        let count = 0;
        const other = () => {
          if (count > 0 && count < 4) reject(new Error(`behind message ${count}`));
        };
        port2.on('message', () => {
          count += 1;
          if (count < 4) {
            fs.stat('.', other);
            process.nextTick(() => port1.postMessage('again'));
          } else {
            port1.close();
            resolve();
          }
        });
        for (let i = 0; i < 4; i++) fs.stat('.', other);
        setTimeout(other, 1);
        fs.stat('.', () => port1.postMessage('x'));
        setImmediate(other);
      }),
  },
  'a signal that the process sends itself comes before a second timers phase': {
    needs: 'rounds',
    run: async () => {
      let came = false;
      process.once('SIGHUP', () => {
        came = true;
      });
      process.kill(process.pid, 'SIGHUP');
      await sleep(1);
      await sleep(1);
      if (!came) impossible('a signal that is late');
    },
  },
  'a wait that the thread itself ends is over within a round of the loop': {
    needs: 'rounds',
    run: async () => {
      const word = new Int32Array(new SharedArrayBuffer(4));
      let over = false;
      void Promise.resolve(Atomics.waitAsync(word, 0, 0).value).then(() => {
        over = true;
      });
      await fsp.stat('.');
      Atomics.notify(word, 0);
      await immediate();
      await immediate();
      if (!over) impossible('a wait that goes on');
    },
  },
  'what is found to be unreachable is told within a round of the loop': {
    needs: 'rounds',
    orders: 4,
    run: async () => {
      let told = false;
      const registry = new FinalizationRegistry(() => {
        told = true;
      });
      registry.register({}, null);
      await immediate();
      collect();
      await immediate();
      await immediate();
      if (!told) impossible('an object that nobody holds');
    },
  },
  'a watcher sees a write within 20 s': {
    slow: true,
    orders: 10,
    run: async (d) => {
      const watcher = fs.watch(d);
      const changed = once(watcher, 'change');
      await fsp.writeFile(`${d}/z`, '1');
      await sooner(20_000, changed);
      watcher.close();
    },
  },
  'an IP address is known before anything else happens': {
    needs: 'instant',
    run: () =>
      answer((resolve, reject) => {
        let known = false;
        setImmediate(() => (known ? resolve() : reject(new Error('the look-up took a round of the loop'))));
        void dns.lookup('127.0.0.1').then(() => {
          known = true;
        });
      }),
  },
  'so it is in a turn that began when something came': {
    run: async () => {
      const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: any };
      for (let i = 0; i < 3; i++) {
        await wasm.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
        let known = false;
        void dns.lookup('127.0.0.1').then(() => {
          known = true;
        });
        await immediate();
        if (!known) impossible('the look-up took a round of the loop');
      }
    },
  },
  'an IP address needs no look-up': {
    run: async () => {
      const { address } = await dns.lookup('127.0.0.1');
      if (address !== '127.0.0.1') impossible(address);
    },
  },
  'sockets on the same host': {
    run: async () => {
      const server = net.createServer((socket) => socket.on('error', () => {}).end('hello'));
      const port = await listening(server);
      let got = '';
      for await (const chunk of net.connect(port, '127.0.0.1')) got += chunk;
      server.close();
      if (got !== 'hello') impossible(got);
    },
  },
  'http requests over files': {
    run: async (d) => {
      fs.writeFileSync(`${d}/page`, 'page');
      const server = http.createServer(async (_request, response) => {
        response.end(await fsp.readFile(`${d}/page`));
      });
      const port = await listening(server);
      const texts = await Promise.all(
        [1, 2, 3].map(() => fetch(`http://127.0.0.1:${port}/`).then((r) => r.text())),
      );
      server.close();
      server.closeAllConnections();
      if (texts.join() !== 'page,page,page') impossible(texts);
    },
  },
  'an answer comes before the socket time-out': {
    run: async () => {
      const server = http.createServer((_request, response) => response.end('x'));
      const port = await listening(server);
      const outcome = await answer<string>((resolve, reject) => {
        http
          .get({ port, host: '127.0.0.1', agent: false, timeout: 5000 }, (response) =>
            response.resume().on('end', () => resolve('answer')),
          )
          .on('timeout', () => resolve('timeout'))
          .on('error', reject);
      });
      server.close();
      server.closeAllConnections();
      if (outcome !== 'answer') impossible(outcome);
    },
  },
  'what name servers answered before an immediate has its ticks behind all of it': {
    orders: 40,
    run: async () => {
      const resolver = new Resolver();
      resolver.setServers(['127.0.0.1:1']);
      let isChecked = false;
      setImmediate(() => {
        isChecked = true;
      });
      let isTicking = false;
      const asked = ['a.test', 'b.test'].map((name) =>
        answer((resolve, reject) => {
          resolver.resolve4(name, () => {
            if (isTicking && !isChecked) reject(new Error('impossible: a tick between two answers'));
            process.nextTick(() => {
              isTicking = true;
            });
            resolve();
          });
        }),
      );
      await Promise.all(asked);
    },
  },
  'gzip in a pipeline': {
    run: async (d) => {
      const { pipeline } = await import('node:stream/promises');
      fs.writeFileSync(`${d}/i`, 'abc'.repeat(5000));
      await pipeline(fs.createReadStream(`${d}/i`), zlib.createGzip(), fs.createWriteStream(`${d}/o`));
      if (zlib.gunzipSync(fs.readFileSync(`${d}/o`)).length !== 15_000) impossible('content');
    },
  },
  'random bytes': {
    run: async () => {
      const bytes = await promisify(crypto.randomBytes)(8);
      if (bytes.length !== 8) impossible(bytes.length);
    },
  },
};
