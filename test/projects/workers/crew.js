// A crew of two: each has a port of its own for jobs and answers, and sleeps on a word until there is one.
// node crew.js [safe]
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';

const safe = process.argv[2] === 'safe';
const total = new Int32Array(new SharedArrayBuffer(4));

function hire() {
  const { port1, port2 } = new MessageChannel();
  const jobs = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./crew-worker.js', import.meta.url));
  worker.postMessage({ port: port2, jobs }, [port2]);
  const give = async (job) => {
    port1.postMessage(job);
    Atomics.add(jobs, 0, 1);
    Atomics.notify(jobs, 0);
    const [answer] = await once(port1, 'message');
    return answer;
  };
  return { give, fire: () => worker.terminate() };
}

const crew = [hire(), hire()];
const answers = await Promise.all(crew.map(({ give }) => give({ total, safe })));
assert.equal(answers.length, 2);
await Promise.all(crew.map(({ fire }) => fire()));
assert.equal(total[0], 20);
