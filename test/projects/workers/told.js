/** What workers are told is what the program gives them, and what Node refuses is refused. */
import assert from 'node:assert/strict';
import { parentPort, Worker, workerData } from 'node:worker_threads';

const own = new URL(import.meta.url);
if (workerData === 'environment') {
  parentPort.postMessage([Object.keys(process.env), process.execArgv]);
} else {
  assert.throws(() => new Worker(own, { env: 42 }), { code: 'ERR_INVALID_ARG_TYPE' });
  const tells = (file, options, wanted) => {
    const worker = new Worker(file, { ...options, execArgv: ['--trace-warnings'] });
    // Nobody holds what is printed: their event loops go their own way.
    worker.stderr.resume();
    worker.once('message', (told) => assert.deepEqual(told, wanted));
    worker.once('exit', (code) => assert.equal(code, 0));
  };
  tells(own, { workerData: 'environment', env: { MINE: '1' } }, [['MINE'], ['--trace-warnings']]);
  const text = "require('node:worker_threads').parentPort.postMessage(process.execArgv)";
  tells(text, { eval: true }, ['--trace-warnings']);
}
