/** What comes from outside is waited for where an order wants it, and not for longer than real Node could be late. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { after, describe, it, mock } from 'node:test';
import { native } from '../../../rescheduler/gate/native.ts';
import { Patience } from '../../../rescheduler/gate/patience.ts';
import { DirectedStrategy } from '../../../rescheduler/strategies/directed.ts';
import { ObservedStrategy } from '../../../rescheduler/strategies/observed.ts';
import { PrefixStrategy } from '../../../rescheduler/strategies/prefix.ts';
import { RandomStrategy } from '../../../rescheduler/strategies/random.ts';
import type { GateView, ReadyStep, Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { Directories, gated } from './support.ts';

const directories = new Directories();
after(() => directories.remove());

const EXIT = 'D:root|child_process.exit#1';
const STAT = ['E:root|fs.stat#1', 'D:root|fs.stat#1'];
const TIMER = 'D:root|setTimeout#1';

/** Runs a program with a child that takes longer than news are expected for; tells what happened in which order. */
async function told(strategy: Strategy, seconds: string, ms: number) {
  const words: string[] = [];
  const main = async () => {
    fs.stat('.', () => words.push('stat'));
    setTimeout(() => words.push('timer'), ms);
    await once(spawn('sleep', [seconds], { stdio: 'ignore' }), 'exit');
    words.push('exit');
    while (words.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { words, ...(await gated(main, { strategy })) };
}

describe('an order that wants something from outside', () => {
  const [effect, answer] = STAT as [string, string];
  const wanted = [effect, EXIT, answer];
  const strategies = {
    directed: new DirectedStrategy([...wanted, TIMER], new ObservedStrategy()),
    prefix: new PrefixStrategy(wanted),
  };
  for (const [name, strategy] of Object.entries(strategies))
    it(`${name}: is followed though something else is ready`, async () => {
      const { words, stopped } = await told(strategy, '0.3', 900);
      assert.equal(stopped, null);
      assert.deepEqual(words, ['exit', 'stat', 'timer']);
    });

  it('a timer that real time has not reached is waited for', async () => {
    const { words, stopped } = await told(new PrefixStrategy([effect, TIMER, answer]), '0.5', 350);
    assert.equal(stopped, null);
    assert.deepEqual(words, ['timer', 'stat', 'exit']);
  });

  it('is given up where real Node could not be that late', async () => {
    const { words, stopped } = await told(new PrefixStrategy([effect, EXIT]), '1', 10);
    assert.deepEqual(stopped && [stopped.stop, stopped.wanted], ['diverged', EXIT]);
    assert.deepEqual(words.indexOf('exit'), 2);
  });
});

it('the end of a child comes before what it wrote only beside another one, for which all are asked', async () => {
  for (const [children, stop] of [
    [1, 'diverged'],
    [2, undefined],
  ] as const) {
    const ends = () => once(spawn('echo', ['a']), 'close');
    const { stopped } = await gated(() => Promise.all(Array.from({ length: children }, ends)), {
      strategy: new PrefixStrategy([EXIT]),
    });
    assert.equal(stopped?.stop, stop, `${children}`);
  }
});

describe('what another process took', () => {
  /** Timers come last: it is waited for as long as possible. */
  const late: Strategy = {
    choose: (enabled, view) =>
      enabled.find(({ step }) => step.kind !== 'timer') ??
      (view.mayCome() ? { wait: 1000 } : new ObservedStrategy().choose(enabled)),
  };

  it('no timer is late by more than a pause', async () => {
    const { words, status } = await told(late, '0.35', 10);
    assert.equal(status, 'ok');
    assert.deepEqual(words, ['stat', 'timer', 'exit']);
  });

  it('timers that are due before it come first where nothing is late', async () => {
    let ticks = 0;
    const { clockMs } = await gated(async () => {
      const ticking = setInterval(() => ticks++, 10);
      await once(spawn('sleep', ['0.1'], { stdio: 'ignore' }), 'exit');
      clearInterval(ticking);
    });
    assert.ok(ticks >= 9 && ticks <= clockMs / 10, `${ticks} ticks in ${clockMs} ms`);
  });
});

describe('how long a strategy may wait', () => {
  it('the clock of the program lags behind by less than a pause, however often it moves', () => {
    let now = 0;
    const clock = mock.method(native, 'now', () => now);
    const patience = new Patience();
    let waited = 0;
    let virtual = 0;
    for (let i = 0; i < 1000; i++) {
      patience.wait();
      const ms = Math.min(7, patience.left);
      waited += ms;
      now += ms;
      patience.stepped(1);
      virtual += 1;
      assert.ok(waited - virtual < 250, `${waited} ms are over, and ${virtual} ms to the program`);
    }
    assert.ok(waited >= 1000);
    clock.mock.restore();
  });

  it('random orders wait where something may come, and only there', () => {
    const ready = ['D:a', 'D:b'].map((name) => ({ name, step: { pause: 0 } })) as ReadyStep[];
    const waits = (mayCome: boolean): number => {
      const strategy = new RandomStrategy(1);
      const view: GateView = {
        now: 0,
        taken: [],
        slept: 0,
        pendingNames: () => new Set(),
        mayCome: () => mayCome,
      };
      return Array.from({ length: 1000 }, () => 'wait' in strategy.choose(ready, view)).filter(Boolean)
        .length;
    };
    assert.equal(waits(false), 0);
    assert.ok(waits(true) > 10);
  });
});

describe('news that are certain are here before anything else happens', () => {
  /** What is enabled whenever a step is chosen, in the observed order. */
  async function offered(main: () => Promise<unknown>): Promise<{ step: string; enabled: string[] }[]> {
    const rest = new ObservedStrategy();
    const found: { step: string; enabled: string[] }[] = [];
    const choose = (enabled: readonly ReadyStep[]) => {
      const step = rest.choose(enabled);
      found.push({ step: step.name, enabled: enabled.map(({ name }) => name) });
      return step;
    };
    await gated(main, { strategy: { choose } });
    return found;
  }

  it('that a watched file is not there', async () => {
    const path = `${directories.fresh()}/nothing`;
    const [first] = await offered(async () => {
      setImmediate(() => {});
      await new Promise<void>((resolve) => fs.watchFile(path, () => resolve()));
      fs.unwatchFile(path);
    });
    assert.ok(first?.enabled.includes('D:root|fs.watchFile#1'), `${first?.enabled}`);
  });

  it('the end of a child whose input has ended', async () => {
    const found = await offered(async () => {
      const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end();
      setImmediate(() => {});
      await once(child, 'exit');
    });
    const ended = found.findIndex(({ step }) => step === 'D:root|net.shutdown#1');
    assert.ok(found[ended + 1]?.enabled.includes(EXIT), JSON.stringify(found));
  });
});

it('a timer of before the run is waited for within the time of a run', async () => {
  const asked = mock.fn(() => true);
  const set = new Promise((resolve) => setTimeout(resolve, 30));
  const { status } = await gated(() => set, { goesOn: asked });
  assert.deepEqual([status, asked.mock.callCount()], ['ok', 0]);
});
