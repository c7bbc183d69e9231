// Programs of the kinds that people write, all of them correct: no order breaks any of these.
import assert from 'node:assert/strict';
import { on, once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BroadcastChannel,
  MessageChannel,
  parentPort,
  receiveMessageOnPort,
} from 'node:worker_threads';
import { ended, play, shared, starter } from './stage.js';

const start = starter(import.meta.url);

/** 0: free, 1: taken, 2: taken, and somebody may wait. */
const mutex = (words, at) => ({
  lock() {
    let state = Atomics.compareExchange(words, at, 0, 1);
    while (state !== 0) {
      if (state === 2 || Atomics.compareExchange(words, at, 1, 2) !== 0) Atomics.wait(words, at, 2);
      state = Atomics.compareExchange(words, at, 0, 2);
    }
  },
  unlock() {
    if (Atomics.sub(words, at, 1) === 1) return;
    Atomics.store(words, at, 0);
    Atomics.notify(words, at, 1);
  },
});

/** Calls of a worker that answers with the id of the call. */
class Client {
  #next = 0;
  #calls = new Map();

  constructor(worker) {
    this.worker = worker;
    worker.on('message', ({ id, result, error }) => {
      const { resolve, reject } = this.#calls.get(id);
      this.#calls.delete(id);
      if (error) reject(new Error(error));
      else resolve(result);
    });
  }

  get pending() {
    return this.#calls.size;
  }

  call(method, ...args) {
    const id = this.#next++;
    const call = Promise.withResolvers();
    this.#calls.set(id, call);
    this.worker.postMessage({ id, method, args });
    return call.promise;
  }
}

function serve(methods) {
  parentPort.on('message', async ({ id, method, args }) => {
    try {
      parentPort.postMessage({ id, result: await methods[method](...args) });
    } catch ({ message }) {
      parentPort.postMessage({ id, error: message });
    }
  });
}

/** By name: what the main thread does, and each of its workers. */
const programs = {
  'a mutex that waits and notifies': {
    async main(name) {
      const words = shared();
      await Promise.all([1, 2, 3].map(() => ended(start(name, { words }))));
      assert.deepEqual([...words], [0, 6, 0, 0]);
    },
    worker({ words }) {
      const lock = mutex(words, 0);
      for (let i = 0; i < 2; i++) {
        lock.lock();
        const before = words[1];
        words[1] = before + 1;
        lock.unlock();
      }
    },
  },
  'a mutex held across an answer': {
    async main(name) {
      const words = shared();
      await Promise.all([1, 2].map(() => ended(start(name, { words }))));
      assert.equal(words[1], 2);
    },
    async worker({ words }) {
      const lock = mutex(words, 0);
      lock.lock();
      const before = words[1];
      await readFile('package.json');
      words[1] = before + 1;
      lock.unlock();
    },
  },
  'a pool that works off a queue': {
    async main(name) {
      const workers = [start(name), start(name)];
      const queue = [1, 2, 3, 4, 5].map((n) => ({ n, ...Promise.withResolvers() }));
      const results = queue.map(({ promise }) => promise);
      for (const worker of workers) {
        let task = null;
        const next = () => {
          task = queue.shift() ?? null;
          if (task) worker.postMessage(task.n);
        };
        worker.on('message', (square) => {
          task.resolve(square);
          next();
        });
        next();
      }
      assert.deepEqual(await Promise.all(results), [1, 4, 9, 16, 25]);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
    worker() {
      parentPort.on('message', async (n) => {
        if (n % 2) await sleep(n);
        parentPort.postMessage(n * n);
      });
    },
  },
  'calls with ids': {
    async main(name) {
      const client = new Client(start(name));
      const calls = [
        client.call('size', 'package.json'),
        client.call('late', 7),
        client.call('soon', 8),
        client.call('size', 'no such file'),
      ];
      const results = await Promise.allSettled(calls);
      assert.deepEqual(
        results.map(({ value, reason }) => value ?? reason.message.slice(0, 6)),
        [21, 7, 8, 'ENOENT'],
      );
      assert.equal(client.pending, 0);
      client.worker.postMessage({ id: -1, method: 'end', args: [] });
      assert.deepEqual(await ended(client.worker), [0]);
    },
    worker() {
      serve({
        size: async (file) => (await readFile(file)).length,
        late: (value) => sleep(20, value),
        soon: (value) => value,
        end: () => {
          setImmediate(() => parentPort.close());
          return new Promise(() => {});
        },
      });
    },
  },
  'two workers over a channel': {
    async main(name) {
      const { port1, port2 } = new MessageChannel();
      const workers = [port1, port2].map((port, at) =>
        start(name, { port, first: at === 0 }, { transferList: [port] }),
      );
      const ends = Promise.all(workers.map(ended));
      const told = await Promise.all(workers.map((worker) => once(worker, 'message')));
      assert.deepEqual(told.flat(), [6, 5]);
      await ends;
    },
    worker({ port, first }) {
      let last = 0;
      port.on('message', async (n) => {
        last = n;
        if (n % 3 === 0) await readFile('package.json');
        if (n < 6) port.postMessage(n + 1);
        if (n < 5) return;
        parentPort.postMessage(last);
        if (n === 6) port.close();
      });
      if (first) port.postMessage(1);
    },
  },
  'news for all': {
    async main(name) {
      const channel = new BroadcastChannel('feed');
      const listeners = [start(name), start(name)];
      const ends = Promise.all(listeners.map(ended));
      await Promise.all(listeners.map((worker) => once(worker, 'message')));
      for (const item of [1, 2, 3]) channel.postMessage(item);
      const sums = await Promise.all(listeners.map((worker) => once(worker, 'message')));
      channel.close();
      await ends;
      assert.deepEqual(sums.flat(), [6, 6]);
    },
    worker() {
      const channel = new BroadcastChannel('feed');
      let sum = 0;
      channel.onmessage = ({ data }) => {
        sum += data;
        if (data < 3) return;
        channel.close();
        parentPort.postMessage(sum);
      };
      parentPort.postMessage('ready');
    },
  },
  'a ring buffer': {
    async main(name) {
      // Written, read; then the items.
      const words = shared(2 + 2);
      const consumer = start(name, { words, role: 'consumer' });
      const producer = start(name, { words, role: 'producer' });
      const [[sum]] = await Promise.all([once(consumer, 'message'), ended(producer), ended(consumer)]);
      assert.equal(sum, 15);
    },
    worker({ words, role }) {
      let sum = 0;
      for (let i = 0; i < 5; i++) {
        const slot = 2 + (i % 2);
        if (role === 'producer') {
          for (let read = Atomics.load(words, 1); i - read === 2; read = Atomics.load(words, 1))
            Atomics.wait(words, 1, read);
          words[slot] = i + 1;
          Atomics.store(words, 0, i + 1);
          Atomics.notify(words, 0);
        } else {
          // What wakes it may be the notification of an item that it has already.
          while (Atomics.load(words, 0) === i) Atomics.wait(words, 0, i);
          sum += words[slot];
          Atomics.store(words, 1, i + 1);
          Atomics.notify(words, 1);
        }
      }
      if (role === 'consumer') parentPort.postMessage(sum);
    },
  },
  'terminated in the middle': {
    async main(name) {
      const words = shared();
      const worker = start(name, { words });
      let after = 0;
      let isOver = false;
      worker.on('message', () => {
        if (isOver) after++;
      });
      worker.on('exit', () => (isOver = true));
      await once(worker, 'message');
      assert.equal(await worker.terminate(), 1);
      const beats = words[0];
      await readFile('package.json');
      assert.deepEqual([words[0], after, isOver], [beats, 0, true]);
    },
    worker({ words }) {
      setInterval(async () => {
        await readFile('package.json');
        parentPort.postMessage(Atomics.add(words, 0, 1));
      }, 3);
    },
  },
  'an answer, or too late': {
    async main(name) {
      const worker = start(name);
      worker.postMessage('ask');
      const how = await once(worker, 'message', { signal: AbortSignal.timeout(20) }).then(
        ([answer]) => answer,
        (error) => error.name,
      );
      await worker.terminate();
      assert.ok(['answer', 'AbortError'].includes(how), how);
    },
    worker() {
      parentPort.once('message', async () => {
        await sleep(20);
        parentPort.postMessage('answer');
      });
    },
  },
  'files read by workers': {
    async main(name) {
      const total = shared(1);
      const codes = await Promise.all(
        ['package.json', 'teller.js'].map((file) => ended(start(name, { file, total }))),
      );
      const sizes = await Promise.all(['package.json', 'teller.js'].map((file) => stat(file)));
      assert.deepEqual(codes, [[0], [0]]);
      assert.equal(total[0], sizes[0].size + sizes[1].size);
    },
    async worker({ file, total }) {
      const [text, { size }] = await Promise.all([readFile(file), stat(file)]);
      assert.equal(text.length, size);
      Atomics.add(total, 0, size);
    },
  },
  'timers in workers': {
    async main(name) {
      const workers = [5, 9].map((ms) => start(name, { ms }));
      const ticks = [[], []];
      for (const [at, worker] of workers.entries()) worker.on('message', (n) => ticks[at].push(n));
      await Promise.all(workers.map(ended));
      assert.deepEqual(ticks, [
        [1, 2, 3, 'end'],
        [1, 2, 3, 'end'],
      ]);
    },
    worker({ ms }) {
      let n = 0;
      const interval = setInterval(() => {
        parentPort.postMessage(++n);
        if (n < 3) return;
        clearInterval(interval);
        setTimeout(() => parentPort.postMessage('end'), ms).unref();
        setTimeout(() => {}, 3 * ms);
      }, ms);
    },
  },
  'asked and waited for': {
    async main(name) {
      const words = shared();
      const { port1, port2 } = new MessageChannel();
      const worker = start(name, { words, port: port2 }, { transferList: [port2] });
      for (const n of [1, 2]) {
        Atomics.store(words, 0, 0);
        port1.postMessage(n);
        while (Atomics.load(words, 0) === 0) Atomics.wait(words, 0, 0);
        assert.deepEqual(receiveMessageOnPort(port1), { message: n * 10 });
      }
      await worker.terminate();
    },
    worker({ words, port }) {
      port.on('message', async (n) => {
        await readFile('package.json');
        port.postMessage(n * 10);
        Atomics.store(words, 0, 1);
        Atomics.notify(words, 0);
      });
    },
  },
  'both ends hear of the close': {
    async main(name) {
      const { port1, port2 } = new MessageChannel();
      const end = ended(start(name, { port: port2 }, { transferList: [port2] }));
      port1.postMessage('last');
      await once(port1, 'close');
      assert.deepEqual(await end, [0]);
    },
    worker({ port }) {
      let seen = '';
      port.on('close', () => assert.equal(seen, 'last'));
      port.on('message', (message) => {
        seen = message;
        port.close();
      });
    },
  },
  'a barrier': {
    async main(name) {
      const words = shared(6);
      await Promise.all([0, 1].map((self) => ended(start(name, { words, self }))));
      assert.deepEqual([...words.subarray(2)], [2, 2, 0, 0]);
    },
    worker({ words, self }) {
      for (let round = 1; round <= 2; round++) {
        words[2 + self] = round;
        const turn = Atomics.load(words, 1);
        if (Atomics.add(words, 0, 1) === 1) {
          Atomics.store(words, 0, 0);
          Atomics.add(words, 1, 1);
          Atomics.notify(words, 1);
        } else while (Atomics.load(words, 1) === turn) Atomics.wait(words, 1, turn);
        if (words[2 + (1 - self)] < round) words[4] = 1;
      }
    },
  },
  'a chunk for each request': {
    async main(name) {
      const worker = start(name);
      const chunks = [];
      worker.on('message', (chunk) => {
        chunks.push(chunk);
        worker.postMessage(chunk === null ? 'end' : 'more');
      });
      worker.postMessage('more');
      await ended(worker);
      assert.deepEqual(chunks, ['a', 'b', 'c', null]);
    },
    async worker() {
      const source = ['a', 'b', 'c', null];
      for await (const [request] of on(parentPort, 'message')) {
        if (request === 'end') break;
        if (source.length % 2) await readFile('package.json');
        parentPort.postMessage(source.shift());
      }
    },
  },
  'started again when it has crashed': {
    async main(name) {
      const words = shared();
      const told = [];
      for (let attempt = 1; ; attempt++) {
        const worker = start(name, { words, attempt });
        worker.on('error', ({ message }) => told.push(message));
        worker.on('message', (message) => told.push(message));
        const code = await new Promise((resolve) => worker.on('exit', resolve));
        if (code === 0) break;
      }
      assert.deepEqual([told, words[0]], [['broken 1', 'broken 2', 'done 3'], 3]);
    },
    async worker({ words, attempt }) {
      Atomics.add(words, 0, 1);
      await sleep(2);
      if (attempt < 3) throw new Error(`broken ${attempt}`);
      parentPort.postMessage(`done ${attempt}`);
    },
  },
  'a port on its way to a worker that ends is closed': {
    async main(name) {
      const worker = start(name);
      // One comes in a message, and one in a message to that one.
      const [{ port1, port2 }, inner] = [new MessageChannel(), new MessageChannel()];
      port2.postMessage(inner.port1, [inner.port1]);
      const closed = Promise.all([port2, inner.port2].map((port) => once(port, 'close')));
      inner.port2.on('message', () => {});
      port2.on('message', () => {});
      worker.postMessage(port1, [port1]);
      const end = ended(worker);
      await worker.terminate();
      await Promise.all([closed, end.catch(() => {})]);
    },
    async worker() {
      parentPort.on('message', () => {});
      await readFile('package.json');
    },
  },
  'a worker of a worker': {
    async main(name) {
      const total = shared(1);
      const worker = start(name, { total, depth: 2 });
      const [[sum]] = await Promise.all([once(worker, 'message'), ended(worker)]);
      assert.deepEqual([sum, total[0]], [3, 3]);
    },
    async worker({ name, total, depth }) {
      Atomics.add(total, 0, 1);
      if (depth > 0) {
        const [below] = await once(start(name, { total, depth: depth - 1 }), 'message');
        parentPort.postMessage(below + 1);
      } else parentPort.postMessage(1);
    },
  },
  'waits asynchronously': {
    async main(name) {
      const words = shared();
      const ends = Promise.all([1, 2].map(() => ended(start(name, { words }))));
      for (let seen = Atomics.load(words, 0); seen < 2; seen = Atomics.load(words, 0)) {
        const { value } = Atomics.waitAsync(words, 0, seen);
        await value;
      }
      assert.equal(words[1], 30);
      await ends;
    },
    async worker({ words }) {
      await readFile('package.json');
      Atomics.add(words, 1, 15);
      Atomics.add(words, 0, 1);
      Atomics.notify(words, 0);
    },
  },
};

await play(programs);
