/** Errors that nobody handles end a run, whatever turn they come from; those that the program handles do not. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gated } from './support.ts';

const never = () => new Promise<never>(() => {});
/** A main that starts something and never settles. */
const forever = (start: () => unknown) => () => {
  start();
  return never();
};

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

  const thrown = (): never => {
    throw new Error('first');
  };
  const behind: Record<string, () => Promise<unknown>> = {
    'of a socket comes its end': async () => {
      const server = net.createServer((socket) => socket.end('text')).listen(0);
      await once(server, 'listening');
      const client = net.connect((server.address() as net.AddressInfo).port).once('data', thrown);
      await once(client, 'close');
      server.close();
    },
    'of a server comes the next connection': async () => {
      const server = net.createServer().once('connection', thrown).listen(0);
      await once(server, 'listening');
      const { port } = server.address() as net.AddressInfo;
      // Of the first one this listener does not hear, as the one before it throws.
      const second = once(server.unref(), 'connection');
      const clients = [net.connect(port), net.connect(port)];
      const [socket] = (await second) as [net.Socket];
      for (const each of [socket, ...clients]) each.destroy();
      server.close();
    },
    'of another process comes the rest': async () => {
      const child = spawn('sh', ['-c', 'echo a; sleep 0.1; echo b']);
      child.stdout.once('data', thrown);
      await once(child, 'close');
    },
  };
  for (const [name, main] of Object.entries(behind))
    it(`behind a callback that throws ${name}`, async () => {
      const { status, value } = await gated(async () => {
        const seen: string[] = [];
        const handler = (error: Error) => seen.push(error.message);
        process.on('uncaughtException', handler);
        await main();
        process.off('uncaughtException', handler);
        return seen;
      });
      assert.deepEqual([status, value], ['ok', ['first']]);
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

/** What a program says in a process of its own. */
function saidBy(program: string): string {
  const path = fileURLToPath(new URL(`processes/${program}.ts`, import.meta.url));
  return spawnSync(process.execPath, ['--no-warnings', path], { encoding: 'utf8' }).stdout.trim();
}

it('rejections go to listeners that hooks have set where the runner has none', () => {
  assert.equal(saidBy('rejections'), 'fail Error: boom ok Error: boom');
});

describe('domains', () => {
  it('get what callbacks throw in them, and nothing else', () => {
    const ends = 'Error: boom fail Error: boom';
    assert.deepEqual(saidBy('domains').split('\n'), [`file ${ends}`, `timer ${ends}`, `immediate ${ends}`]);
  });
});
