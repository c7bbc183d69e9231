/** Children, messages and watchers: events of other processes and threads, and of ports in this one. */
import { exec, execFile, fork, spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { setImmediate as immediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BroadcastChannel, MessageChannel } from 'node:worker_threads';
import type { Scenario } from './outcome.ts';

const failed = ({ code, killed, message }: any) => [code, killed, message];

export const outside: Record<string, Scenario> = {
  exec: () => promisify(exec)('echo out; echo err >&2'),
  'exec that fails': () => promisify(exec)('exit 3').catch(failed),
  'execFile of nothing': () => promisify(execFile)('/no/such/file').catch(failed),
  'a child reads and writes': async () => {
    const child = spawn('cat');
    child.stdin.write('one\n');
    child.stdin.end('two');
    const closed = once(child, 'close');
    let text = '';
    for await (const chunk of child.stdout) text += chunk;
    return [text, ...(await closed)];
  },
  'a child writes much': async () => {
    const child = spawn('head', ['-c', '300000', '/dev/zero']);
    let length = 0;
    child.stdout.on('data', (chunk) => {
      length += chunk.length;
    });
    return [...(await once(child, 'close')), length];
  },
  'a child is killed': async () => {
    const child = spawn('sleep', ['20']);
    child.kill();
    return once(child, 'exit');
  },
  'lines of a child': async () => {
    const lines: string[] = [];
    for await (const line of createInterface({ input: spawn('printf', ['a\nb\nc']).stdout }))
      lines.push(line);
    return lines;
  },
  'a child without pipes': () => once(spawn('true', { stdio: 'ignore' }), 'exit'),
  fork: async (d) => {
    fs.writeFileSync(
      `${d}/c.js`,
      'process.on("message", (m) => { process.send(m + 1); process.disconnect(); })',
    );
    const child = fork(`${d}/c.js`, { execArgv: [] });
    const exit = once(child, 'exit');
    child.send(1);
    return [...(await once(child, 'message')).slice(0, 1), ...(await exit)];
  },
  'a socket is handed to a child': async (d) => {
    fs.writeFileSync(
      `${d}/c.js`,
      'process.on("message", (_, socket) => { socket.end("hello"); process.disconnect(); })',
    );
    const child = fork(`${d}/c.js`, { execArgv: [] });
    // It may have ended by the time that what it sent has been read.
    const exit = once(child, 'exit');
    const server = net.createServer((socket) => void child.send('take', socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    let text = '';
    for await (const chunk of client) text += chunk;
    server.close();
    return [text, ...(await exit)];
  },
  'a cluster': async (d) => {
    fs.writeFileSync(
      `${d}/c.js`,
      `const server = require('net').createServer((socket) => { socket.end('hello'); server.close(); process.disconnect(); });
      server.listen(0, '127.0.0.1');`,
    );
    cluster.setupPrimary({ exec: `${d}/c.js`, execArgv: [] });
    const worker = cluster.fork();
    const exit = once(worker, 'exit');
    const [{ port }] = await once(worker, 'listening');
    let text = '';
    for await (const chunk of net.connect(port, '127.0.0.1')) text += chunk;
    return [text, ...(await exit)];
  },
  'messages and the end of a port': async () => {
    const { port1, port2 } = new MessageChannel();
    const got: unknown[] = [];
    port2.on('message', (message) => got.push(message)).on('close', () => got.push('close'));
    for (let i = 0; i < 3; i++) port1.postMessage(i);
    while (got.length < 3) await immediate();
    port1.close();
    await once(port2, 'close');
    return got;
  },
  'a port that its first message closes': async () => {
    const { port1, port2 } = new MessageChannel();
    const got: unknown[] = [];
    port2.on('message', (message) => {
      got.push(message);
      port2.close();
      if (message === 1) port1.postMessage(3);
    });
    port1.postMessage(1);
    port1.postMessage(2);
    await once(port2, 'close');
    return got;
  },
  'a port as an event target': async () => {
    const { port1, port2 } = new MessageChannel();
    const { port1: sent, port2: left } = new MessageChannel();
    const event = new Promise<MessageEvent>((resolve) => {
      (port2 as unknown as { onmessage: unknown }).onmessage = resolve;
    });
    port1.postMessage('x', [sent]);
    const { data, ports } = await event;
    port1.close();
    left.close();
    return [data, ports.length];
  },
  'a broadcast': async () => {
    const [a, b] = [new BroadcastChannel('x'), new BroadcastChannel('x')];
    const heard = new Promise((resolve) => {
      b.onmessage = ({ data }: any) => resolve(data);
    });
    a.postMessage('hello');
    const data = await heard;
    a.close();
    b.close();
    return data;
  },
  'fs.watch': async (d) => {
    const watcher = fs.watch(d);
    const changed = once(watcher, 'change');
    await fsp.mkdir(`${d}/z`);
    const event = await changed;
    watcher.close();
    return event;
  },
  'fs.promises.watch': async (d) => {
    const control = new AbortController();
    const events = fsp.watch(d, { signal: control.signal })[Symbol.asyncIterator]();
    const first = events.next();
    await fsp.mkdir(`${d}/z`);
    const { value } = await first;
    control.abort();
    return value;
  },
};
