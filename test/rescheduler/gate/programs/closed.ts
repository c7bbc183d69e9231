/** Sources that are closed, stopped, cleared, aborted or no longer listened to while something of theirs is on its way. */
import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { createGzip } from 'node:zlib';
import { answer, type Case, impossible } from './program.ts';

/** Starts a source whose events `tell`; makes some come; closes it by `close`. */
interface Source {
  /** Answers with what makes it tell something, and what closes it. */
  readonly open: (
    directory: string,
    tell: () => void,
  ) => Promise<{
    readonly come: () => unknown;
    readonly close: () => unknown;
    readonly after?: () => unknown;
  }>;
  readonly doubtful?: boolean;
  /** Node hands out what it has read in one go, also when the first of it closes the source. */
  readonly inOneGo?: boolean;
  /** Only closed within its own turn it is silent: later nothing but its last words may be left, which Node still says. */
  readonly hasLastWords?: boolean;
  /** So many orders are tried; few where a child takes part, which takes time. */
  readonly orders?: number;
}

const listening = (server: net.Server) =>
  answer<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port)),
  );

/** A child that sends three messages when it is told to. */
const chatty = () =>
  spawn('sh', ['-c', 'read x; for n in 1 2 3; do echo $n >&3; done; read x'], {
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });

/** Programs that fail falsely where what is closed goes on telling what was held. */
const NEEDED = ['a watcher that is closed behind an answer', 'a port that is closed behind an answer'];

const SOURCES: Readonly<Record<string, Source>> = {
  'a watcher': {
    open: async (d, tell) => {
      const watcher = fs.watch(d, tell);
      return { come: () => fs.writeFileSync(`${d}/a`, 'x'), close: () => watcher.close() };
    },
  },
  'a watcher with a signal': {
    open: async (d, tell) => {
      const control = new AbortController();
      fs.watch(d, { signal: control.signal }, tell);
      return { come: () => fs.writeFileSync(`${d}/a`, 'x'), close: () => control.abort() };
    },
  },
  'a watcher with a listener': {
    open: async (d, tell) => {
      const watcher = fs.watch(d).on('change', tell);
      return {
        come: () => fs.writeFileSync(`${d}/a`, 'x'),
        close: () => watcher.off('change', tell),
        after: () => watcher.close(),
      };
    },
  },
  'a watched file': {
    open: async (d, tell) => {
      fs.watchFile(`${d}/none`, { interval: 60_000 }, tell);
      return { come: () => {}, close: () => fs.unwatchFile(`${d}/none`) };
    },
  },
  'a port': {
    open: async (_, tell) => {
      const { port1, port2 } = new MessageChannel();
      port2.on('message', tell);
      return { come: () => port1.postMessage(1), close: () => port2.close() };
    },
  },
  'a port without its listener': {
    open: async (_, tell) => {
      const { port1, port2 } = new MessageChannel();
      port2.on('message', tell);
      const come = () => [1, 2].map((n) => port1.postMessage(n));
      return { come, close: () => port2.off('message', tell), after: () => port2.close() };
    },
  },
  'a broadcast channel': {
    open: async (_, tell) => {
      const [one, two] = [new BroadcastChannel('closed'), new BroadcastChannel('closed')];
      two.onmessage = tell;
      const come = () => [1, 2].map((n) => one.postMessage(n));
      return { come, close: () => two.close(), after: () => one.close() };
    },
  },
  'a socket for datagrams': {
    open: async (_, tell) => {
      const [from, to] = [dgram.createSocket('udp4'), dgram.createSocket('udp4', tell)];
      await answer((resolve) => to.bind(0, '127.0.0.1', resolve));
      const come = () => [1, 2].map((n) => from.send(String(n), to.address().port, '127.0.0.1'));
      return { come, close: () => to.close(), after: () => from.close() };
    },
  },
  'a server': {
    open: async (_, tell) => {
      const server = net.createServer((socket) => {
        tell();
        socket.destroy();
      });
      const port = await listening(server);
      const come = () => [1, 2].map(() => net.connect(port, '127.0.0.1').on('error', () => {}));
      return { come, close: () => server.close() };
    },
  },
  'a socket': {
    open: async (_, tell) => {
      const server = net.createServer((socket) => void socket.on('error', () => {}).write('x'));
      const port = await listening(server);
      const socket = net.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      server.close();
      return { come: () => socket.on('data', tell), close: () => socket.destroy() };
    },
  },
  'a paused socket': {
    open: async (_, tell) => {
      const server = net.createServer((socket) => void socket.on('error', () => {}).write('x'));
      const port = await listening(server);
      const socket = net.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      server.close();
      const come = () => socket.on('data', tell);
      return { come, close: () => socket.pause(), after: () => socket.destroy() };
    },
  },
  'a request': {
    open: async (_, tell) => {
      const server = http.createServer((_request, response) => response.end('x'));
      const port = await listening(server);
      let request: http.ClientRequest;
      const come = () => {
        request = http.get({ port, host: '127.0.0.1', agent: false }, tell).on('error', () => {});
      };
      return { come, close: () => request.destroy(), after: () => server.close() };
    },
  },
  "an agent's request": {
    open: async (_, tell) => {
      const server = http.createServer((_request, response) => response.end('x'));
      const port = await listening(server);
      const agent = new http.Agent({ keepAlive: true });
      const come = () => http.get({ port, host: '127.0.0.1', agent }, tell).on('error', () => {});
      return { come, close: () => agent.destroy(), after: () => server.close() };
    },
  },
  'the output of a child': {
    open: async (_, tell) => {
      const child = spawn('echo', ['x']);
      return { come: () => child.stdout.on('data', tell), close: () => child.stdout.destroy() };
    },
  },
  'messages of a child': {
    orders: 2,
    open: async (_, tell) => {
      const child = chatty().on('message', tell);
      const exit = once(child, 'exit');
      return {
        come: () => child.stdin!.write('go\n'),
        close: () => child.off('message', tell),
        after: () => child.kill() && exit,
      };
    },
  },
  'a child that is left': {
    orders: 2,
    inOneGo: true,
    open: async (_, tell) => {
      const child = chatty().on('message', tell);
      const exit = once(child, 'exit');
      return {
        come: () => child.stdin!.write('go\n'),
        close: () => child.disconnect(),
        after: () => child.kill() && exit,
      };
    },
  },
  'lines of a stream': {
    open: async (_, tell) => {
      const input = new PassThrough();
      const lines = createInterface({ input }).on('line', tell);
      return { come: () => input.write('1\n'), close: () => lines.close() };
    },
  },
  'a stream of a file': {
    open: async (d, tell) => {
      fs.writeFileSync(`${d}/a`, 'x');
      const stream = fs.createReadStream(`${d}/a`);
      return { come: () => stream.on('data', tell), close: () => stream.destroy() };
    },
  },
  'a file that is read': {
    // What is aborted while the file is being closed, behind the last read, has been read.
    hasLastWords: true,
    open: async (d, tell) => {
      fs.writeFileSync(`${d}/a`, 'x');
      const control = new AbortController();
      const { signal } = control;
      const come = () => void fsp.readFile(`${d}/a`, { signal }).then(tell, () => {});
      return { come, close: () => control.abort() };
    },
  },
  'a compressor': {
    open: async (_, tell) => {
      const stream = createGzip().on('data', tell);
      return { come: () => stream.end('x'), close: () => stream.destroy() };
    },
  },
  'a timer': {
    open: async (_, tell) => {
      let timer: NodeJS.Timeout;
      return { come: () => void (timer = setTimeout(tell, 1)), close: () => clearTimeout(timer) };
    },
  },
  'an interval': {
    open: async (_, tell) => {
      let timer: NodeJS.Timeout;
      return { come: () => void (timer = setInterval(tell, 1)), close: () => clearInterval(timer) };
    },
  },
  'an immediate': {
    open: async (_, tell) => {
      let made: NodeJS.Immediate;
      return { come: () => void (made = setImmediate(tell)), close: () => clearImmediate(made) };
    },
  },
  'a signal with a time-out': {
    open: async (_, tell) => {
      let signal: AbortSignal;
      const come = () => {
        signal = AbortSignal.timeout(1);
        signal.addEventListener('abort', tell);
      };
      return { come, close: () => signal.removeEventListener('abort', tell) };
    },
  },
  'a sleep with a signal': {
    open: async (_, tell) => {
      const control = new AbortController();
      const { signal } = control;
      const come = () => void sleep(1, null, { signal }).then(tell, () => {});
      return { come, close: () => control.abort() };
    },
  },
  'a signal of the process': {
    doubtful: true,
    open: async (_, tell) => {
      process.on('SIGHUP', tell);
      const keep = () => {};
      process.on('SIGHUP', keep);
      const close = () => process.off('SIGHUP', tell);
      return {
        come: () => process.kill(process.pid, 'SIGHUP'),
        close,
        after: () => process.off('SIGHUP', keep),
      };
    },
  },
};

const IN_TURN: Readonly<Record<string, () => unknown>> = {
  'at once': () => {},
  'behind a tick': () => Promise.resolve(),
};

/** What lies between the news and the close: so that they have come where the gate waits for them, and are held. */
const BETWEEN: Readonly<Record<string, () => unknown>> = {
  ...IN_TURN,
  'behind an answer': () => fsp.stat('.'),
  'behind a timer': () => sleep(1),
};

function before({ open, doubtful = false, orders = 12 }: Source, between: () => unknown): Case {
  return {
    doubtful,
    orders,
    run: async (d) => {
      let closed = false;
      const { come, close, after } = await open(d, () => {
        if (closed) impossible('it was closed');
      });
      await come();
      await between();
      await close();
      closed = true;
      await immediate();
      await fsp.stat(d);
      await sleep(2);
      await fsp.stat(d);
      await after?.();
    },
  };
}

/** Its first news close it. */
function within({ open, doubtful = false, orders = 12 }: Source): Case {
  return {
    doubtful,
    orders,
    run: async (d) => {
      let closed = false;
      const { come, close, after } = await open(d, () => {
        if (closed) impossible('it was closed');
        closed = true;
        close();
      });
      await come();
      await sleep(5);
      await fsp.stat(d);
      await sleep(5);
      if (!closed) close();
      await after?.();
    },
  };
}

const all = Object.entries(SOURCES).flatMap(([name, source]): [string, Case][] => [
  ...Object.entries(source.hasLastWords ? IN_TURN : BETWEEN).map(([when, between]): [string, Case] => [
    `${name} that is closed ${when}`,
    before(source, between),
  ]),
  ...(source.inOneGo ? [] : [[`${name} that its first news close`, within(source)] as [string, Case]]),
]);

export const closed: Record<string, Case> = Object.fromEntries(
  all.map(([name, program]) => [
    `${name} tells nothing more`,
    NEEDED.includes(name) ? { ...program, needs: 'forgets' } : program,
  ]),
);
