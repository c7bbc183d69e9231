/** Runs of the bundled programs of threads, all in one process: starting one for each would take minutes. */
import { fileURLToPath } from 'node:url';
import type { ThreadCutPoint } from '../../../data/threads/cut-point.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { loaderConfigOf } from '../../../rescheduler/subjects/config.ts';
import { OutputTail } from '../../../rescheduler/subjects/output.ts';
import { WorkerClient } from '../../../rescheduler/subjects/worker-client.ts';
import type { ThreadReply, ThreadSpec } from '../../../rescheduler/tokens/protocol.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export class Bundled {
  private readonly client = new WorkerClient({
    ...{ config: loaderConfigOf({ cwd: ROOT }), output: new OutputTail(), verbose: false },
    ...{ scratch: 'memory', entry: '../tokens/process-entry' },
  });

  async run(
    file: URL,
    name: string,
    spec: ThreadSpec,
    record = false,
    watchdogMs = 60_000,
  ): Promise<ThreadReply> {
    const program = { kind: 'threads', file: fileURLToPath(file), name } as const;
    const reply = await this.client.request({ ...program, spec, record, watchdogMs }, 70_000);
    if ('error' in reply) throw new Error(reply.error.message);
    return reply as ThreadReply;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** Cut points as they are stored, the most promising first. */
export const predicted = (trace: ThreadTrace): ThreadCutPoint[] => forcibleCutPoints(trace, newTally());
