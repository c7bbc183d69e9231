/** What a run tells of its steps. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { HostRequest } from '../../../monitor/host/request.ts';
import { PrefixStrategy } from '../../../rescheduler/strategies/prefix.ts';
import { gated, random } from './support.ts';

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
    // As long as it takes in full units; where it is quicker than one of them, longer than nothing.
    const ended = async () => {
      const child = spawn('sleep', ['9'], { stdio: 'ignore' });
      await sleep(30);
      child.kill();
      await once(child, 'exit');
    };
    const [shown] = await reading(ended, true);
    assert.ok(shown! > 30, `${shown} ms`);
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
