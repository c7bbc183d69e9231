// What plain Node guarantees: no order breaks any of these.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs';
import { readFile as read } from 'node:fs/promises';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import {
  BroadcastChannel,
  MessageChannel,
  parentPort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { ended, play, shared, starter } from './stage.js';

const start = starter(import.meta.url);

/** By name: what the main thread does, and each of its workers. */
const programs = {
  'ticks and microtasks come before the next turn': {
    async main() {
      const worker = start('ticks and microtasks come before the next turn', { words: shared() });
      const [[message], [code]] = await Promise.all([once(worker, 'message'), ended(worker)]);
      assert.deepEqual([message, code], [['tick', 'microtask', 'immediate'], 0]);
    },
    worker() {
      readFile('package.json', () => {
        const told = [];
        setImmediate(() => {
          told.push('immediate');
          parentPort.postMessage(told);
        });
        queueMicrotask(() => told.push('microtask'));
        process.nextTick(() => told.push('tick'));
      });
    },
  },
  'a port is first in, first out': {
    async main() {
      const worker = start('a port is first in, first out');
      const seen = [];
      worker.on('message', (message) => seen.push(message));
      await ended(worker);
      assert.deepEqual(seen, [0, 1, 2, 3, 4]);
    },
    async worker() {
      for (let i = 0; i < 5; i++) {
        if (i % 2) await read('package.json');
        parentPort.postMessage(i);
      }
    },
  },
  'ports come with the event of their message': {
    async main() {
      const worker = start('ports come with the event of their message');
      const [outside, inside] = [new MessageChannel(), new MessageChannel()];
      worker.postMessage({ port: inside.port2 }, [outside.port2, inside.port2]);
      const answers = [outside, inside].map(({ port1 }) => once(port1, 'message'));
      const [first, second] = await Promise.all([...answers, ended(worker)]);
      assert.deepEqual([first, second], [['not in the value'], ['in the value']]);
    },
    worker() {
      parentPort.onmessage = ({ data, ports: [port] }) => {
        data.port.postMessage('in the value');
        port.postMessage('not in the value');
        parentPort.close();
      };
    },
  },
  'timers of one thread are in order': {
    async main() {
      const order = shared();
      await ended(start('timers of one thread are in order', { order }));
      assert.deepEqual([...order], [1, 2, 3, 0]);
    },
    worker({ order }) {
      let at = 0;
      setTimeout(() => (order[at++] = 3), 400);
      setTimeout(() => (order[at++] = 1), 5);
      setTimeout(() => (order[at++] = 2), 5);
    },
  },
  'what was sent comes before the end': {
    async main() {
      const worker = start('what was sent comes before the end');
      let last = null;
      worker.on('message', (message) => (last = message));
      const [code] = await ended(worker);
      assert.deepEqual([last, code], ['bye', 3]);
    },
    async worker() {
      await read('package.json');
      parentPort.postMessage('bye');
      process.exit(3);
    },
  },
  'one request after the other': {
    async main() {
      const words = shared();
      const worker = start('one request after the other', { words });
      for (let i = 0; i < 3; i++) {
        const before = words[0];
        worker.postMessage(1);
        await once(worker, 'message');
        assert.equal(words[0], before + 1);
      }
      worker.postMessage(0);
      await ended(worker);
      assert.equal(words[0], 3);
    },
    worker({ words }) {
      parentPort.on('message', async (amount) => {
        if (amount === 0) return parentPort.close();
        const before = words[0];
        await read('package.json');
        words[0] = before + amount;
        parentPort.postMessage('done');
      });
    },
  },
  'an error comes before the end': {
    async main() {
      const worker = start('an error comes before the end');
      let message = null;
      worker.on('error', (error) => (message = error.message));
      const [code] = await new Promise((resolve) => worker.on('exit', (...args) => resolve(args)));
      assert.deepEqual([message, code], ['broken', 1]);
    },
    async worker() {
      await read('package.json');
      throw new Error('broken');
    },
  },
  'who is terminated does nothing more': {
    async main() {
      const words = shared();
      const worker = start('who is terminated does nothing more', { words });
      await once(worker, 'message');
      await worker.terminate();
      const seen = words[0];
      await sleep(50);
      assert.equal(words[0], seen);
    },
    worker({ words }) {
      parentPort.postMessage('ready');
      setInterval(() => {
        words[0]++;
      }, 1);
    },
  },
  'a wait ends with its notification': {
    async main() {
      const words = shared();
      const worker = start('a wait ends with its notification', { words });
      await read('package.json');
      words[1] = 7;
      Atomics.store(words, 0, 1);
      Atomics.notify(words, 0);
      await ended(worker);
      assert.equal(words[2], 7);
    },
    worker({ words }) {
      Atomics.wait(words, 0, 0);
      words[2] = words[1];
    },
  },
  'a channel has every message for all': {
    async main() {
      const channel = new BroadcastChannel('news');
      const listeners = [start('a channel has every message for all'), start('a channel has every message for all')];
      let ready = 0;
      await new Promise((resolve) => {
        channel.onmessage = () => ++ready === 2 && resolve();
      });
      channel.postMessage('a');
      await read('package.json');
      channel.postMessage('b');
      const told = await Promise.all(listeners.map((listener) => once(listener, 'message')));
      channel.close();
      assert.deepEqual(told.flat(), ['ab', 'ab']);
    },
    worker() {
      const channel = new BroadcastChannel('news');
      let told = '';
      channel.onmessage = ({ data }) => {
        if (data === 'ready') return;
        told += data;
        if (told.length < 2) return;
        parentPort.postMessage(told);
        channel.close();
      };
      channel.postMessage('ready');
    },
  },
  'a port is asked for what it has': {
    async main() {
      const words = shared();
      const { port1, port2 } = new MessageChannel();
      const worker = start('a port is asked for what it has', { words, port: port2 }, { transferList: [port2] });
      Atomics.wait(words, 0, 0);
      assert.deepEqual(receiveMessageOnPort(port1), { message: 'answer' });
      port1.close();
      await ended(worker);
    },
    async worker({ words, port }) {
      await read('package.json');
      port.postMessage('answer');
      Atomics.store(words, 0, 1);
      Atomics.notify(words, 0);
    },
  },
  'a port closes behind its messages': {
    async main() {
      const { port1, port2 } = new MessageChannel();
      start('a port closes behind its messages', { port: port2 }, { transferList: [port2] });
      let seen = 0;
      port1.on('message', () => seen++);
      await once(port1, 'close');
      assert.equal(seen, 2);
    },
    async worker({ port }) {
      port.postMessage(1);
      await read('package.json');
      port.postMessage(2);
      port.close();
    },
  },
  'a port whose other end is closed keeps nobody alive': {
    async main() {
      const { port1, port2 } = new MessageChannel();
      const name = 'a port whose other end is closed keeps nobody alive';
      const asks = start(name, { port: port1, asks: true }, { transferList: [port1] });
      const answers = start(name, { port: port2, asks: false }, { transferList: [port2] });
      const codes = await Promise.all([asks, answers].map(ended));
      assert.deepEqual(codes, [[0], [0]]);
    },
    worker({ asks, port }) {
      port.on('message', async (message) => {
        if (asks) port.close();
        else port.postMessage(message);
        // Nobody gets the second answer.
        await sleep(5);
        port.postMessage(message);
      });
      if (asks) port.postMessage('question');
    },
  },
  'a port is closed behind the turn that closes it, and both ends hear of it': {
    async main() {
      const words = shared();
      const { port1, port2 } = new MessageChannel();
      const name = 'a port is closed behind the turn that closes it, and both ends hear of it';
      const worker = start(name, { port: port2, words }, { transferList: [port2] });
      const end = ended(worker);
      port1.on('message', () => {});
      await once(port1, 'close');
      assert.equal(words[0], 1);
      await end;
      assert.equal(words[1], 1);
    },
    async worker({ port, words }) {
      port.on('close', () => (words[1] = 1));
      port.postMessage(1);
      await sleep(5);
      port.close();
      Atomics.store(words, 0, 1);
    },
  },
  'who closes a port gets the rest of what has come': {
    async main() {
      const { port1, port2 } = new MessageChannel();
      const seen = [];
      port2.on('message', (message) => {
        seen.push(message);
        if (message === 1) port2.close();
      });
      for (const message of [1, 2, 3]) port1.postMessage(message);
      // A timer alone may come first.
      await once(port2, 'message');
      await sleep(5);
      assert.deepEqual(seen, [1, 2, 3]);
    },
  },
  'time is one': {
    async main() {
      const worker = start('time is one');
      const sent = Date.now();
      await sleep(20);
      worker.postMessage('go');
      const [told] = await once(worker, 'message');
      assert.ok(told >= sent + 19 && Date.now() >= told);
    },
    worker() {
      parentPort.once('message', () => parentPort.postMessage(Date.now()));
    },
  },
  'who is made is online before its end': {
    async main() {
      const worker = start('who is made is online before its end');
      const told = [];
      for (const event of ['online', 'message', 'exit']) worker.on(event, () => told.push(event));
      await ended(worker);
      assert.deepEqual(told, ['online', 'message', 'exit']);
    },
    async worker() {
      await read('package.json');
      parentPort.postMessage('x');
    },
  },
  'who is made is online before it says anything': {
    async main(name) {
      const words = shared();
      const worker = start(name, { words });
      const told = [];
      for (const event of ['online', 'message']) worker.on(event, () => told.push(event));
      Atomics.wait(words, 0, 0);
      while (told.length < 2) await immediate();
      assert.deepEqual(told, ['online', 'message']);
      await worker.terminate();
    },
    worker({ words }) {
      parentPort.on('message', () => {});
      parentPort.postMessage('x');
      Atomics.store(words, 0, 1);
      Atomics.notify(words, 0);
    },
  },
  'with a thread its workers end, too': {
    async main(name) {
      const words = shared();
      const ends = [false, true].map((lasts) => ended(start(name, { words, lasts })));
      await ends[0];
      await read('package.json');
      Atomics.store(words, 1, 1);
      Atomics.notify(words, 1);
      await ends[1];
      assert.ok(words[0] >= 0);
    },
    async worker({ name, words, lasts, beats }) {
      if (beats) return setInterval(() => words[0]++, 1);
      start(name, { words, beats: true }).unref();
      if (lasts) Atomics.wait(words, 1, 0);
      else await read('package.json');
    },
  },
  'a lock made of Atomics is a lock': {
    async main() {
      const words = shared();
      await Promise.all([1, 2].map(() => ended(start('a lock made of Atomics is a lock', { words }))));
      assert.equal(words[1], 2);
    },
    async worker({ words }) {
      while (Atomics.compareExchange(words, 0, 0, 1) !== 0) await sleep(1);
      const before = words[1];
      await read('package.json');
      words[1] = before + 1;
      Atomics.store(words, 0, 0);
    },
  },
  'text runs, too': {
    async main() {
      const words = shared();
      const text = `
        const { workerData, parentPort } = require('node:worker_threads');
        setTimeout(() => { Atomics.add(workerData, 0, 1); parentPort.postMessage('done'); }, 5);
      `;
      const workers = [1, 2].map(() => new Worker(text, { eval: true, workerData: words }));
      await Promise.all(workers.map((worker) => once(worker, 'message')));
      assert.equal(words[0], 2);
    },
  },
  'what was sent comes with the next poll phase': {
    async main(name) {
      const words = shared();
      let came = false;
      const worker = start(name, { words });
      worker.on('message', () => (came = true));
      while (Atomics.load(words, 0) === 0) await immediate();
      await immediate();
      await immediate();
      assert.ok(came);
      await worker.terminate();
    },
    worker({ words }) {
      parentPort.on('message', () => {});
      parentPort.postMessage('x');
      Atomics.store(words, 0, 1);
    },
  },
  'what came by another port comes with the next poll phase, too': {
    async main(name) {
      const { port1, port2 } = new MessageChannel();
      const worker = start(name, { port: port2 }, { transferList: [port2] });
      const told = [];
      port1.on('message', (message) => told.push(message));
      await once(worker, 'message');
      await sleep(10);
      // That may come before another poll phase, this does not.
      await immediate();
      assert.deepEqual(told, ['result']);
      await worker.terminate();
    },
    worker({ port }) {
      parentPort.on('message', () => {});
      port.postMessage('result');
      parentPort.postMessage('done');
    },
  },
  'a notification is there, too': {
    async main(name) {
      const words = shared();
      let came = false;
      const waits = Atomics.waitAsync(words, 0, 0).value.then(() => (came = true));
      const end = ended(start(name, { words }));
      while (Atomics.load(words, 1) === 0) await immediate();
      await immediate();
      await immediate();
      assert.ok(came);
      await Promise.all([waits, end]);
    },
    worker({ words }) {
      Atomics.notify(words, 0);
      Atomics.store(words, 1, 1);
    },
  },
  'what has come is handed out together': {
    async main(name) {
      const words = shared();
      const worker = start(name, { words });
      const told = [];
      worker.on('message', (message) => {
        told.push(message);
        if (message === 1) setImmediate(() => told.push('immediate'));
      });
      Atomics.wait(words, 0, 0);
      while (told.length < 3) await immediate();
      assert.deepEqual(told, [1, 2, 'immediate']);
      await worker.terminate();
    },
    worker({ words }) {
      parentPort.on('message', () => {});
      parentPort.postMessage(1);
      parentPort.postMessage(2);
      Atomics.store(words, 0, 1);
      Atomics.notify(words, 0);
    },
  },
  'a port closes behind the immediates of its thread': {
    async main(name) {
      const words = shared();
      const { port1, port2 } = new MessageChannel();
      const end = ended(start(name, { words, port: port2 }, { transferList: [port2] }));
      port1.on('message', () => {});
      await once(port1, 'close');
      assert.equal(words[0], 1);
      await end;
    },
    worker({ words, port }) {
      readFile('package.json', () => {
        port.close();
        setImmediate(() => {
          // Others may go on in the middle.
          for (let i = 0; i < 9; i++) Atomics.load(words, 1);
          words[0] = 1;
        });
      });
    },
  },
  'nobody is ten seconds late': {
    async main(name) {
      const words = shared();
      const end = ended(start(name, { words }));
      await read('package.json');
      Atomics.store(words, 0, 1);
      Atomics.notify(words, 0);
      assert.deepEqual(await end, [0]);
    },
    worker({ words }) {
      assert.notEqual(Atomics.wait(words, 0, 0, 10_000), 'timed-out');
    },
  },
  'ten milliseconds are over before five seconds are': {
    async main(name) {
      const words = shared();
      const ends = [5000, 10].map((ms, at) => ended(start(name, { words, ms, at })));
      assert.deepEqual(await Promise.all(ends), [[0], [0]]);
    },
    worker({ words, ms, at }) {
      Atomics.wait(words, at, 0, ms);
      if (ms === 10) words[2] = 1;
      else assert.equal(words[2], 1);
    },
  },
  'no clock is behind what another thread has read': {
    async main(name) {
      const words = shared();
      const times = new Float64Array(new SharedArrayBuffer(8));
      const end = ended(start(name, { words, times }));
      Atomics.wait(words, 0, 0);
      assert.ok(Date.now() >= times[0]);
      await end;
    },
    async worker({ words, times }) {
      await sleep(500);
      times[0] = Date.now();
      Atomics.store(words, 0, 1);
      Atomics.notify(words, 0);
    },
  },
  'five seconds of one thread are five of another': {
    async main(name) {
      const words = shared();
      const end = ended(start(name, { words }));
      Atomics.wait(words, 0, 0);
      await sleep(5000);
      assert.equal(words[1], 1);
      await end;
    },
    async worker({ words }) {
      Atomics.store(words, 0, 1);
      Atomics.notify(words, 0);
      await sleep(10);
      words[1] = 1;
    },
  },
  'who waited first is woken first': {
    async main(name) {
      const words = shared();
      const waiters = ['first', 'second'].map((who) => Atomics.waitAsync(words, 0, 0).value.then(() => who));
      const end = ended(start(name, { words }));
      assert.equal(await Promise.race(waiters), 'first');
      Atomics.notify(words, 0);
      await Promise.all([...waiters, end]);
    },
    worker({ words }) {
      Atomics.notify(words, 0, 1);
    },
  },
  'a timer that keeps nobody alive does not fire alone': {
    async main(name) {
      const words = shared();
      await ended(start(name, { words }));
      assert.equal(words[0], 0);
    },
    worker({ words }) {
      setTimeout(() => (words[0] = 1), 100).unref();
    },
  },
};

await play(programs);
