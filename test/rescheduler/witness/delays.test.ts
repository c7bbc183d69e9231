/** What a plan makes late on plain Node. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import fs, { rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { Delays } from '../../../rescheduler/witness/delays.ts';
import type { PlannedRequest } from '../../../rescheduler/witness/plan.ts';
import { temporary } from '../../temporary.ts';

const planned = (api: string, index: number, at: number, what = ''): PlannedRequest => ({
  ...{ api, what, site: null, cause: -1, issued: 0, end: null },
  effects: [{ index, at: 0 }],
  deliver: { index: index + 1, at },
});

/**
 * A machine with other things to do stands still for longer than two times lie apart, but hardly each time.
 * @param shows whether it was seen this time
 */
async function isSeen(shows: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) if (await shows()) return;
  assert.fail('not seen once');
}

/** The order in which two things end under a plan. */
async function order(requests: readonly PlannedRequest[], ...things: (() => Promise<unknown>)[]) {
  const ended: number[] = [];
  await new Delays({ requests, stretches: [], pauses: [] }, () => null).run(() =>
    Promise.all(things.map((thing, i) => thing().then(() => ended.push(i)))),
  );
  return ended;
}

const jobs: Record<string, () => Promise<unknown>> = {
  'crypto.randomBytes': () => promisify(crypto.randomBytes)(4),
  'crypto.subtle.digest': () => crypto.subtle.digest('SHA-1', new Uint8Array(1)),
  'dns.lookup': () => promisify(dns.lookup)('localhost'),
  'dgram.message': async () => {
    const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.send('x', socket.address().port, '127.0.0.1');
    await once(socket, 'message');
    socket.close();
  },
};

/** A datagram is told apart by its port. */
const about: Record<string, string> = { 'dgram.message': 'UDP port #1' };

for (const [api, job] of Object.entries(jobs))
  test(`${api} is late where the plan says so`, async () => {
    const begin = performance.now();
    await order([planned(api, 0, 100, about[api])], job);
    // Timers count whole milliseconds.
    assert.ok(performance.now() - begin >= 99);
  });

test('what is several steps in the kernel is answered behind the call, where no plan makes it late', async () => {
  const directory = temporary('unweave-delays');
  const path = join(directory, 'a');
  const starts: ((done: () => void) => void)[] = [
    (done) => fs.writeFile(path, 'x', done),
    (done) => fs.copyFile(path, `${path}2`, done),
    (done) => fs.readFile(path, done),
  ];
  const answered: boolean[] = [];
  await new Delays({ requests: [], stretches: [], pauses: [] }, () => null).run(async () => {
    for (const start of starts) {
      let isCalling = true;
      await new Promise<void>((resolve) => {
        start(() => resolve(void answered.push(!isCalling)));
        isCalling = false;
      });
    }
  });
  rmSync(directory, { recursive: true });
  assert.deepEqual(answered, [true, true, true]);
});

test('what is answered within the call is not, and takes no thread', async () => {
  const addresses = Array.from({ length: 5 }, () => () => promisify(dns.lookup)('127.0.0.1'));
  const late = addresses.map((_, i) => planned('dns.lookup', 2 * i, 1000));
  assert.deepEqual(await order(late, ...addresses, () => stat('.')), [0, 1, 2, 3, 4, 5]);
});

test('what takes effect within a turn does not see what that turn does behind it', async () => {
  const seen = async (): Promise<string[]> => {
    const directory = temporary('unweave-delays');
    const late = { ...planned('fs.readdir', 0, 60), what: directory };
    const plan = {
      requests: [late, { ...planned('fs.stat', 2, 60, '.'), within: [0] }],
      stretches: [],
      pauses: [],
    };
    const names = await new Delays(plan, () => null).run(() => {
      const read = promisify(fs.readdir)(directory);
      const asked = stat('.');
      writeFileSync(join(directory, 'behind'), '');
      return asked.then(() => read);
    });
    rmSync(directory, { recursive: true });
    return names;
  };
  await isSeen(async () => (await seen()).length === 0);
});

test('look-ups that are late leave half of the threads to others', async () => {
  const lookups = Array.from({ length: 4 }, () => jobs['dns.lookup']!);
  const late = lookups.map((_, i) => planned('dns.lookup', 2 * i + 1, 100));
  await isSeen(async () => (await order(late, ...lookups, () => stat('.')))[0] === 4);
});

test('news of what the kernel was asked for later do not put the clock of a plan back', async () => {
  const isFirst = async () => {
    const directory = temporary('unweave-delays');
    const news = { ...planned('fs.watch', -1, 0, directory), effects: [] };
    const later = { ...planned('fs.stat', 1, 300, '.'), cause: 0, issued: 250 };
    const watched = async () => {
      const watcher = fs.watch(directory);
      setTimeout(() => fs.mkdirSync(join(directory, 'x')), 250);
      await once(watcher, 'change');
      watcher.close();
      await stat('.');
    };
    const [first] = await order([news, later], watched, () => sleep(450));
    rmSync(directory, { recursive: true });
    return first === 0;
  };
  await isSeen(isFirst);
});

test('ports that are closed in one turn close last first', async () => {
  const closed: string[] = [];
  const plan = { requests: [planned('MessagePort', 0, 60)], stretches: [], pauses: [] };
  await new Delays(plan, () => null).run(() => {
    const both = ['a', 'b'].map((name) => {
      const { port1 } = new MessageChannel();
      return { port1, over: once(port1, 'close').then(() => closed.push(name)) };
    });
    for (const { port1 } of both) port1.close();
    return Promise.all(both.map(({ over }) => over));
  });
  assert.deepEqual(closed, ['b', 'a']);
});

test('a port that is closed tells so in the closing phase of that round', async () => {
  const told: string[] = [];
  const plan = { requests: [planned('MessagePort', 0, 60)], stretches: [], pauses: [] };
  await new Delays(plan, () => null).run(async () => {
    const { port1 } = new MessageChannel();
    const over = once(port1, 'close').then(() => told.push('closed'));
    await stat('.');
    port1.close();
    setImmediate(() => {
      told.push('check');
      setImmediate(() => told.push('next check'));
    });
    await over;
  });
  assert.deepEqual(told, ['check', 'closed']);
});

test('answers that come together from outside are told apart, and each has its place', async () => {
  const late = (api: string, index: number) => ({ ...planned(api, index - 1, 40), effects: [] });
  const resolver = new dns.promises.Resolver();
  resolver.setServers(['127.0.0.1:1']);
  const asked = ['resolve4', 'resolveSoa'] as const;
  const plan = asked.map((name, index) => late(`dns.${name}`, index));
  const ended = order(plan, ...asked.map((name) => () => resolver[name]('a.test').catch(() => {})));
  assert.deepEqual(await ended, [0, 1]);
});

test('what a server that is older than the plan does for a connection is of the plan', async () => {
  const stats = ['package.json', '.'].map((what, i) => ({
    ...planned('fs.stat', 3 * i, 60),
    what,
    cause: 3 * i - 1,
  }));
  // Not met: it is there to have sockets watched.
  const other = { ...planned('net.connect', 8, 0), what: 'nowhere' };
  const delays = new Delays({ requests: [...stats, other], stretches: [], pauses: [] }, () => null);
  const ended: string[] = [];
  const server = net.createServer(async (socket) => {
    await stat('.');
    ended.push('server');
    socket.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  await delays.run(() => {
    const served = once(net.connect(port, '127.0.0.1').resume(), 'close');
    return Promise.all([served, stat('package.json').then(() => ended.push('client'))]);
  });
  server.close();
  assert.deepEqual(ended, ['client', 'server']);
});
