/** What explanations of one test ask for is often the same order: each is run once, and its reply serves all of them. */
import { createHash } from 'node:crypto';
import type { RunSchedule } from '../tokens/neighbours.ts';
import type { ThreadReply } from '../tokens/protocol.ts';

const plainly = (_: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value;

export function onceEach(run: RunSchedule): RunSchedule {
  const known = new Map<string, ThreadReply>();
  return async (schedule) => {
    // With what it is to bring about: whether it was followed depends on that.
    const key = createHash('sha256').update(JSON.stringify(schedule, plainly)).digest('base64');
    const reply = known.get(key) ?? (await run(schedule));
    // What came to no end may have lacked time.
    if (reply.ran.outcome === 'pass' || reply.ran.outcome === 'fail') known.set(key, reply);
    return reply;
  };
}
