/** Runs of test cases in a process of their runner's own that lasts: it answers requests over a socket. */
import { CaseRerunner } from '../subjects/case-rerun.ts';
import type { CaseId } from '../subjects/job.ts';
import { oneLine } from '../subjects/one-line.ts';
import { connectTo, type ServingConnection } from '../subjects/socket.ts';
import type { Envelope, WorkerReply, WorkerRequest } from '../subjects/worker-protocol.ts';
import type { BodyRunner } from './adapter.ts';
import { HeldAgainst, NeedsRunner, type WarmFile } from './warm-file.ts';

type ServedBody = (body: () => unknown, atOnce?: boolean) => Promise<void>;

/** One run that was asked for. */
interface ServedRun {
  readonly target: CaseId;
  readonly runBody: ServedBody;
  /** Bodies that were begun. */
  readonly bodies: Promise<void>[];
  over(failure: { readonly error: unknown } | null): void;
}

/**
 * A file of test cases that the runner itself runs again and again. It asks for the next run when one is over, and says
 * what failed besides bodies.
 */
export class ServedFile implements WarmFile {
  readonly firstTurn = 'within';
  private asked: ServedRun | null = null;
  private begin: (() => void) | null = null;

  run(_entry: string, target: CaseId, runBody: ServedBody): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = (failure: { readonly error: unknown } | null) =>
        failure ? reject(failure.error) : resolve();
      this.asked = { target, runBody, bodies: [], over };
      this.begin?.();
    });
  }

  /** The case that runs now. */
  get target(): CaseId | null {
    return this.asked?.target ?? null;
  }

  /** What bodies are given to. Whether one fails is not told to the runner. */
  readonly bodies: BodyRunner = {
    run: (_id, body, running) => {
      const { asked } = this;
      if (!asked) return Promise.resolve(body());
      const ended = asked.runBody(body, running.atOnce).then(() => {
        if (running.isSkipped()) throw new NeedsRunner('it skips itself');
        const against = running.heldAgainst?.();
        if (against !== undefined) throw new HeldAgainst(against);
      });
      asked.bodies.push(ended);
      return ended.catch(() => {});
    },
    subtest() {},
  };

  /** The runner is through with the file; `failed`: in one line, beyond the body. Settled when it is to run again. */
  async next(failed: string | null): Promise<void> {
    const { asked } = this;
    const again = new Promise<void>((resolve) => (this.begin = resolve));
    this.asked = null;
    if (asked) {
      // The runner may have given one up that still runs.
      const ends = await Promise.allSettled(asked.bodies);
      const refused = ends.find((end) => end.status === 'rejected');
      if (ends.length !== 1)
        asked.over({ error: new NeedsRunner(`${ends.length} cases ran in the place of one`) });
      else if (refused) asked.over({ error: refused.reason });
      else asked.over(failed === null ? null : { error: new Error(failed) });
    }
    await again;
  }
}

/** Where the requests of this process come from. To be made before there is a gate. */
export class Serving {
  readonly file = new ServedFile();
  private readonly connection: ServingConnection;
  private hasBegun = false;

  constructor(socket: string) {
    // Taken now, because a runner may replace it.
    const exit = process.exit.bind(process);
    this.connection = connectTo(socket, () => exit(0));
  }

  /** The cases are here. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { connection } = this;
    const rerunner = new CaseRerunner(() => this.file);
    connection.hear((message) => {
      const { id, body } = message as Envelope<WorkerRequest>;
      answer(rerunner, body)
        .catch((error: unknown): WorkerReply => {
          const told = oneLine(body.file, error, 'internal error');
          return { error: { subject: false, message: told } };
        })
        .then((reply) => connection.send({ id, body: reply } satisfies Envelope<WorkerReply>));
    });
    connection.send('ready');
  }

  /** They are in another process. */
  leave(): void {
    if (!this.hasBegun) this.connection.close();
  }
}

async function answer(rerunner: CaseRerunner, request: WorkerRequest): Promise<WorkerReply> {
  if (request.kind !== 'case') throw new Error(`no such request here: ${request.kind}`);
  return rerunner.run(request);
}
