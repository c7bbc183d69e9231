/**
 * ftp-srv: a client retrieves a file from a server that closes idle connections, as in the FtpServer of PENELOPE
 * (section 5). With a time-out of 100 ms a request whose file answers later is closed while it is handled, and goes
 * on with a connector that is no longer its own: exceptions in the server. Without a time-out there is no race.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { Client } from 'basic-ftp';
import { type FtpServerOptions, FtpSrv } from 'ftp-srv';
import { type Expectation, harness } from '../api.ts';

interface Ftp {
  readonly dir: string;
  readonly server: FtpSrv;
  readonly port: number;
  /** What the server has caught: errors of its own, not of the network. */
  readonly failures: readonly TypeError[];
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const;

/** A server adds listeners to the process and never takes them away. */
function withoutSignals(make: () => FtpSrv): FtpSrv {
  const before = new Set(SIGNALS.flatMap((signal) => process.listeners(signal)));
  const server = make();
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal))
      if (!before.has(listener)) process.removeListener(signal, listener);
  return server;
}

/** The part of a logger that the server uses. */
function logger(failures: TypeError[]): FtpServerOptions['log'] {
  const log = {
    child: () => log,
    trace() {},
    debug() {},
    info() {},
    warn() {},
    error: (error: unknown) => {
      if (error instanceof TypeError) failures.push(error);
    },
  };
  return log;
}

async function start(dir: string, timeout: number): Promise<Ftp> {
  const root = join(dir, 'root');
  await mkdir(root);
  await writeFile(join(root, 'readme'), 'welcome');
  const failures: TypeError[] = [];
  const options: FtpServerOptions = {
    url: 'ftp://127.0.0.1:0',
    pasv_url: '127.0.0.1',
    // Any free port.
    pasv_min: 0,
    pasv_max: 0,
    anonymous: true,
    timeout,
    log: logger(failures),
  };
  const server = withoutSignals(() => new FtpSrv(options));
  server.on('login', (_, resolve) => resolve({ root }));
  server.on('client-error', () => {});
  await server.listen();
  const { port } = (server as unknown as { server: Server }).server.address() as AddressInfo;
  return { dir, server, port, failures };
}

function ftpHarness(name: string, timeout: number, expect: Expectation): void {
  harness<Ftp>({
    name,
    setup: ({ dir }) => start(dir, timeout),
    tasks: {
      client: async ({ dir, port }) => {
        const client = new Client(10_000);
        try {
          await client.access({ host: '127.0.0.1', port, user: 'anonymous', password: 'guest' });
          await client.downloadTo(join(dir, 'copy'), 'readme');
        } catch {
          // Closed by the time-out: the client is told so.
        } finally {
          client.close();
        }
      },
    },
    check: async ({ server, failures }) => {
      await server.close();
      for (const failure of failures) throw failure;
    },
    expect,
  });
}

ftpHarness('ftp-srv, idle time-out', 100, {
  bug: true,
  pattern: ['RWR', 'RWW', 'WWR'],
  // Without instrumenting the package nothing of it is seen: then it is an order bug.
  entityMatch: '^(FtpConnection|Connector|Passive)#',
});
ftpHarness('ftp-srv, no time-out', 0, { bug: false });
