/** The worker's side of the IPC channel. */
import { flushCompileCache } from 'node:module';
import { oneLine } from './one-line.ts';
import { SubjectError } from './protocol.ts';
import type { Envelope, WorkerReply, WorkerRequest } from './worker-protocol.ts';

/** Answers one request after the other until the parent is gone. */
export function answerRequests(answer: (request: WorkerRequest) => Promise<WorkerReply>): void {
  // Taken now, because the program may replace both.
  const send = process.send!.bind(process);
  const exit = process.exit.bind(process);
  let isKept = false;
  process.on('message', ({ id, body }: Envelope<WorkerRequest>) => {
    answer(body)
      .catch((error: unknown): WorkerReply => {
        const subject = error instanceof SubjectError;
        const message = subject ? error.message : oneLine(body.file, error, 'internal error');
        return { error: { subject, message } };
      })
      .then((reply) => {
        send({ id, body: reply } satisfies Envelope<WorkerReply>);
        if (isKept || body.kind === 'list') return;
        // Node keeps what was compiled as a process ends; this one is killed. By now it has compiled what a run takes.
        isKept = true;
        flushCompileCache();
      });
  });
  process.on('disconnect', () => exit(0));
}
