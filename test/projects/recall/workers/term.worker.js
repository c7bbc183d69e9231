import { parentPort, workerData } from 'node:worker_threads';

const { role, term, repaired } = workerData;

function lead() {
  if (repaired) term[0] = 7;
  parentPort.postMessage('I lead');
  if (!repaired) term[0] = 7;
}

if (role === 'leader') lead();
else parentPort.on('message', ({ hasLeader }) => parentPort.postMessage(hasLeader ? term[0] : 'no leader'));
