/** Children, messages, watchers: events that nobody can foresee. */
import { exec, spawn } from 'node:child_process';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { BroadcastChannel, MessageChannel } from 'node:worker_threads';
import { ends, type Operations } from './operation.ts';

export const messages: Operations = {
  'a message': (_, { tell, done }) => {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', (message) => {
      tell('message', message);
      port1.close();
    });
    port2.on('close', () => done());
    port1.postMessage('x');
  },
  'messages both ways': (_, { tell, done }) => {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', (message) => {
      tell('there', message);
      port2.postMessage(message);
    });
    port1.on('message', (message) => {
      tell('back', message);
      if (message === 2) port1.close();
    });
    port1.on('close', () => done());
    port1.postMessage(1);
    port1.postMessage(2);
  },
  'a broadcast': ({ id }, { tell, done }) => {
    const [a, b, c] = ['a', 'b', 'c'].map(() => new BroadcastChannel(`lab ${id}`)) as any[];
    let left = 2;
    const heard = (who: string) => (): void => {
      tell(who);
      if (--left > 0) return;
      for (const channel of [a, b, c]) channel.close();
      done();
    };
    b.onmessage = heard('b');
    c.onmessage = heard('c');
    a.postMessage('x');
  },
};

export const children: Operations = {
  exec: (_, story) =>
    void exec(
      'echo out',
      ends(story, (out) => out.trim()),
    ),
  'a child without pipes': (_, { tell, done }) => {
    const child = spawn('true', { stdio: 'ignore' });
    child.on('exit', () => tell('exit')).on('close', () => done());
  },
  'a child reads and writes': (_, { tell, done }) => {
    const child = spawn('cat');
    child.stdout.on('data', (chunk) => tell('data', chunk)).on('end', () => tell('end'));
    child.on('exit', () => tell('exit')).on('close', () => done());
    child.stdin.end('one');
  },
  'lines of a child': (_, { tell, done }) => {
    const child = spawn('printf', ['a\\nb\\n']);
    createInterface({ input: child.stdout }).on('line', (line) => tell('line', line));
    child.on('close', () => done());
  },
  'fs.watch': ({ directory, id }, { tell, done }) => {
    const watcher = fs.watch(`${directory}/w`, () => {
      tell('changed');
      watcher.close();
    });
    watcher.on('close', () => done());
    fs.mkdir(`${directory}/w/${id}`, () => tell('made'));
  },
  'fs.watchFile': ({ directory, id }, { done }) => {
    const path = `${directory}/w/${id}`;
    // It tells at once that there is no such file.
    fs.watchFile(path, { interval: 5 }, () => {
      fs.unwatchFile(path);
      done();
    });
  },
  'fsp.watch': ({ directory, id }, { tell, done }) => {
    const control = new AbortController();
    const whole = async () => {
      for await (const _ of fsp.watch(`${directory}/w`, { signal: control.signal })) {
        tell('changed');
        control.abort();
      }
    };
    whole().catch((error) => done(error.name));
    fs.mkdir(`${directory}/w/${id}`, () => tell('made'));
  },
};
