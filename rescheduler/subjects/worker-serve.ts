/** The worker's side of the IPC channel, for programs under the gate. */
import { installGate } from '../gate/session.ts';
import { answerRequests } from './answer.ts';
import type { WorkerReply, WorkerRequest } from './worker-protocol.ts';

/** Answers one request after the other until the parent is gone. */
export function serve(answer: (request: WorkerRequest) => Promise<WorkerReply>): void {
  answerRequests(answer);
  // After the channel is in use: what is alive by now is not the program's.
  installGate();
}
