/** Sockets, pipes and HTTP between two ends of this process. */
import http from 'node:http';
import net from 'node:net';
import { createInterface } from 'node:readline';
import type { Operation, Operations, Scene, Story } from './operation.ts';

const HOST = '127.0.0.1';

/** Tells what happens to a socket. Data is told in pieces as it comes. */
function follow(socket: net.Socket, story: Story, prefix: string): void {
  socket.on('data', (chunk) => story.tell(`${prefix}data`, chunk));
  socket.on('end', () => story.tell(`${prefix}end`));
  socket.on('error', (error: NodeJS.ErrnoException) => story.tell(`${prefix}error`, error.code));
  const over = story.hold();
  socket.on('close', () => {
    story.tell(`${prefix}close`);
    over();
  });
}

/** A server of its own for one client; the operation is over when the server is closed. */
function between(
  serve: (socket: net.Socket) => void,
  use: (socket: net.Socket, story: Story) => void,
  where: (scene: Scene) => string | null = () => null,
): Operation {
  return (scene, story) => {
    const server = net.createServer((socket) => {
      story.tell('accepted');
      follow(socket, story, 'server.');
      serve(socket);
    });
    server.on('close', () => story.done());
    const path = where(scene);
    const listening = (): void => {
      story.tell('listening');
      const socket = path ? net.connect(path) : net.connect((server.address() as net.AddressInfo).port, HOST);
      socket.on('connect', () => story.tell('connect'));
      follow(socket, story, '');
      socket.on('close', () => server.close());
      use(socket, story);
    };
    if (path) server.listen(path, listening);
    else server.listen(0, HOST, listening);
  };
}

const answers = (socket: net.Socket): void => void socket.end('yes');
const echoes = (socket: net.Socket): void => void socket.pipe(socket);
const pipe = ({ directory, id }: Scene): string => `${directory}/p${id}`;

/** A web server, and a client of it. */
function web(
  handler: http.RequestListener,
  use: (url: string, story: Story, over: () => void) => void,
): Operation {
  return (_, story) => {
    const server = http.createServer((request, response) => {
      story.tell('request', request.url);
      handler(request, response);
    });
    server.on('close', () => story.done());
    server.listen(0, HOST, () =>
      use(`http://${HOST}:${(server.address() as net.AddressInfo).port}`, story, () => {
        server.close();
        server.closeAllConnections();
      }),
    );
  };
}

/** Requests one after the other through one agent. */
function ask(paths: number, keepAlive: boolean): Parameters<typeof web>[1] {
  return (url, story, over) => {
    const agent = new http.Agent({ keepAlive });
    const next = (n: number): void => {
      const request = http.get(`${url}/${n}`, { agent }, (response) => {
        story.tell('response', n);
        response.on('data', (chunk) => story.tell('data', chunk));
        response.on('end', () => {
          story.tell('end', n);
          if (n < paths) {
            setImmediate(next, n + 1);
            return;
          }
          agent.destroy();
          over();
        });
      });
      request.on('error', (error: NodeJS.ErrnoException) => story.tell('error', error.code));
    };
    next(1);
  };
}

/** More than the kernel takes at once. */
const MUCH = Buffer.alloc(6_000_000);

export const heavySockets: Operations = {
  'net: writes much': (_, story) => {
    const server = net.createServer((socket) => {
      let bytes = 0;
      socket.on('data', (chunk) => {
        bytes += chunk.length;
      });
      socket.on('end', () => {
        story.tell('server.end', bytes);
        socket.end();
      });
    });
    server.on('close', () => story.done());
    server.listen(0, HOST, () => {
      const socket = net.connect((server.address() as net.AddressInfo).port, HOST);
      socket.on('connect', () => story.tell('connect'));
      socket.end(MUCH, () => story.tell('ended'));
      socket.on('close', () => server.close());
      socket.resume();
    });
  },
};

const withFetch: Parameters<typeof web>[1] = (url, story, over) => {
  const whole = async () => {
    const response = await fetch(url, { headers: { connection: 'close' } });
    story.tell('response', response.status);
    story.tell('text', await response.text());
  };
  whole()
    .catch((error) => story.tell('error', error.cause?.code))
    .then(over);
};

export const sockets: Operations = {
  'net: answer': between(answers, () => {}),
  'net: echo': between(echoes, (socket) => {
    socket.write('a');
    socket.end('b');
  }),
  'net: writes with callbacks': between(
    (socket) => void socket.on('end', () => socket.end()),
    (socket, story) => {
      socket.write('a', () => story.tell('wrote', 1));
      socket.end('b', () => story.tell('ended'));
    },
  ),
  'net: destroyed by the server': between(
    (socket) => void socket.destroy(),
    () => {},
  ),
  'net: destroyed when connected': between(
    () => {},
    (socket) => void socket.on('connect', () => socket.destroy()),
  ),
  'net: destroyed after data': between(
    (socket) => void socket.write('x'),
    (socket) => void socket.on('data', () => socket.destroy()),
  ),
  'net: destroyed by a timer': between(
    (socket) => void socket.write('x'),
    (socket) => void setTimeout(() => socket.destroy(), 1),
  ),
  'pipe: answer': between(answers, () => {}, pipe),
  'pipe: echo': between(echoes, (socket) => void socket.end('a'), pipe),
  'lines over a socket': between(
    (socket) => void socket.end('a\nb\n'),
    (socket, story) => {
      createInterface({ input: socket }).on('line', (line) => story.tell('line', line));
    },
  ),
  'a port in use': (_, { tell, done }) => {
    const [first, second] = [net.createServer(), net.createServer()];
    first.listen(0, HOST, () => {
      second.on('error', (error: NodeJS.ErrnoException) => {
        tell('error', error.code);
        first.close(() => done());
      });
      second.listen((first.address() as net.AddressInfo).port, HOST);
    });
  },
  'nobody listens': (_, { tell, done }) => {
    const server = net.createServer();
    server.listen(0, HOST, () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => {
        tell('closed');
        const socket = net.connect(port, HOST);
        socket.on('error', (error: NodeJS.ErrnoException) => tell('error', error.code));
        socket.on('close', () => done());
      });
    });
  },
  'http: one request': web((_, response) => void response.end('ok'), ask(1, false)),
  'http: keep-alive': web((_, response) => void response.end('ok'), ask(2, true)),
  'http: answered by a timer': web(
    (_, response) => void setTimeout(() => response.end('ok'), 1),
    ask(1, false),
  ),
  'http: in pieces': web(
    (_, response) => {
      response.write('a');
      setImmediate(() => response.end('b'));
    },
    ask(1, false),
  ),
  fetch: web((_, response) => void response.end('ok'), withFetch),
};
