// Takes jobs from a port that its parent hands to it.
import { parentPort, receiveMessageOnPort } from 'node:worker_threads';

function work({ total, safe }) {
  if (safe) return Atomics.add(total, 0, 10);
  const before = total[0];
  total[0] = before + 10;
  return before;
}

parentPort.once('message', ({ port, jobs }) => {
  for (let seen = 0; ; seen++) {
    Atomics.wait(jobs, 0, seen);
    for (let job = receiveMessageOnPort(port); job; job = receiveMessageOnPort(port))
      port.postMessage(work(job.message));
  }
});
