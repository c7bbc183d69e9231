/** Entry of a harness process: answers one request after the other over the IPC channel. */

import { installGate } from '../gate/session.ts';
import { HarnessRunner, oneLine } from './harness-run.ts';
import { createUserLinker } from './linker.ts';
import { SubjectError } from './protocol.ts';
import type { Envelope, WorkerReply, WorkerRequest } from './worker-protocol.ts';

const runner = new HarnessRunner(createUserLinker());

async function answer(request: WorkerRequest): Promise<WorkerReply> {
  try {
    return request.kind === 'list' ? await runner.list(request.file) : await runner.run(request);
  } catch (error) {
    const subject = error instanceof SubjectError;
    return {
      error: { subject, message: subject ? error.message : oneLine(request.file, error, 'internal error') },
    };
  }
}

// Taken now, because the program may replace both.
const send = process.send!.bind(process);
const exit = process.exit.bind(process);

process.on('message', ({ id, body }: Envelope<WorkerRequest>) => {
  void answer(body).then((reply) => send({ id, body: reply } satisfies Envelope<WorkerReply>));
});
process.on('disconnect', () => exit(0));
// After the channel is in use: what is alive by now is not the program's.
installGate();
