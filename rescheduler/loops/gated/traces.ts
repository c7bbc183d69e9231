/** What an execution has left behind in its thread: where there is something, the thread takes part in no other one. */
const { getActiveResourcesInfo } = process;

/** Come and go with ports, threads and output; requests of files that are answered are listed until they are collected. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['FSReqCallback', 'FSReqPromise', 'MessagePort', 'PipeWrap', 'TTYWrap', 'Worker'],
]);

export class Traces {
  private readonly before = look();

  /** Whether there is something that was not there before. */
  any(): boolean {
    const now = look();
    return (
      process.exitCode !== undefined ||
      now.resources > this.before.resources ||
      now.listeners !== this.before.listeners
    );
  }
}

const look = () => ({
  resources: getActiveResourcesInfo.call(process).filter((kind) => !HARMLESS.has(kind)).length,
  listeners: process.eventNames().reduce((sum, event) => sum + process.listenerCount(event), 0),
});
