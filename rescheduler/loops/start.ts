/** Loaded into every worker of a user's own program before its code. */
import workerThreads, { getEnvironmentData, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { sharedParts } from '../../monitor/threads/memory.ts';
import { stuck } from './ending.ts';
import { watchExit } from './exit.ts';
import { Mail } from './mail.ts';
import { type Part, takePart } from './part.ts';
import { PLACE } from './place.ts';
import { type WorkerPlace, wrapWorkers } from './workers.ts';

function begin(place: WorkerPlace): void {
  const part = takePart(place, () => stuck(place.execution));
  for (const [at, buffer] of sharedParts(workerData).buffers.entries())
    part.views.adopt(buffer, place.addresses[at]!);
  wrapWorkers(part);
  watchMessages(part, place.parent);
  watchExit(() => part.holder.end());
}

/** A worker that has neither made a step nor listened after so long waits for something else. */
const CALM_MS = 100;

function watchMessages(part: Part, parent: number): void {
  const { holder, self } = part;
  setTimeout(() => holder.calm(), CALM_MS).unref();
  const port = parentPort as (Record<PropertyKey, any> & typeof parentPort) | null;
  if (!port) return;
  const mail = new Mail(part, self, parent);
  const own = (key: PropertyKey, value: unknown): void =>
    void Object.defineProperty(port, key, { value, configurable: true, writable: true, enumerable: false });
  const { postMessage, ref } = port;
  own('postMessage', (value: unknown, transfer?: never) => {
    mail.send('up', value);
    postMessage.call(port, value, transfer);
  });
  // Whoever listens is there and waits.
  own('ref', () => {
    setImmediate(() => holder.calm());
    return ref.call(port);
  });
  const dispatch = Object.getOwnPropertySymbols(EventTarget.prototype).find((symbol) =>
    symbol.description?.endsWith('kHybridDispatch'),
  );
  if (!dispatch) {
    part.notes.tell({ unseen: 'messages to workers' });
    return;
  }
  const native = port[dispatch];
  own(dispatch, function (this: unknown, value: unknown, type: string, event: unknown) {
    if (type === 'message') mail.receive('down', value);
    return native.call(this, value, type, event);
  });
  const { receiveMessageOnPort } = workerThreads;
  workerThreads.receiveMessageOnPort = (from) => {
    const message = receiveMessageOnPort(from);
    if (message && from === parentPort) mail.receive('down', message.message);
    return message;
  };
}

const place = isMainThread ? undefined : (getEnvironmentData(PLACE) as unknown as WorkerPlace | undefined);
// Once: some workers are told twice.
if (place && !workerThreads.getEnvironmentData(`${PLACE} ${place.self}`)) {
  workerThreads.setEnvironmentData(`${PLACE} ${place.self}`, true);
  begin(place);
}
