/** Writing takes effect in the call, as far as the kernel takes it; ending the stream when its turn has come. */
import { replaceMethod } from '../../replace.ts';
import { issueArrival, Once } from '../arrival.ts';
import { originOf } from '../naming.ts';
import { takeAnswers } from './answers.ts';
import type { Handle, Req } from './binding.ts';
import type { End } from './end.ts';
import type { NetHost } from './net-host.ts';

export const WRITES = [
  'writev',
  'writeBuffer',
  'writeAsciiString',
  'writeUtf8String',
  'writeUcs2String',
  'writeLatin1String',
];

export function wrapWrites(host: NetHost): void {
  const { stream, state, kBytesWritten, kLastWriteWasAsync, kLastWriteErr } = host.binding;
  for (const name of WRITES) {
    const native = stream[name]!;
    replaceMethod(stream, name, function (this: Handle, req: Req | null, ...args: unknown[]) {
      const end = host.using(this);
      host.used.add(this);
      if (!end) host.olderThanRun(this);
      end?.outside?.wrote(args[0]);
      // A message to a child, and the handle that goes with it.
      const sent = args.at(-1);
      if (isHandle(sent)) host.share(sent);
      // From Node 26 on the request is made within the call, and only where the kernel does not take all at once.
      const answer = native.call(this, req, ...args) as number | Req;
      const made = typeof answer === 'number' ? req : answer;
      const error = typeof answer === 'number' ? answer : state[kLastWriteErr];
      if (!end || error !== 0) return answer;
      const told = state.slice();
      end.sent += state[kBytesWritten] as number;
      if (made && state[kLastWriteWasAsync] !== 0) holdQueued(host, end, made);
      host.tell(end.peer);
      // Node reads it after the call.
      state.set(told);
      return answer;
    });
  }
  const shutdown = stream['shutdown']!;
  replaceMethod(stream, 'shutdown', function (this: Handle, req: Req) {
    const end = host.using(this);
    if (!end) return shutdown.call(this, req);
    shutDown(host, end, this, req);
    return 0;
  });
}

const isHandle = (value: unknown): value is Handle => typeof (value as Handle | null)?.hasRef === 'function';

/** The kernel did not take all: its buffers are full until the peer reads. */
function holdQueued(host: NetHost, end: End, req: Req): void {
  const { controller } = host;
  const context = host.capture();
  const origin = originOf(controller, 'net.write');
  let answer: readonly unknown[] | null = null;
  let request: ReturnType<typeof issueArrival> | null = null;
  const owe = {
    cancel: () => request && controller.cancel(request),
    answer: (code: number) => answers.reply(answer ?? [code, end.handle, undefined]),
    native: () => {
      if (answer) answers.reply(answer);
      else answers.restore();
    },
  };
  end.queued += 1;
  end.owed.add(owe);
  const answers = takeAnswers(req, (...values) => {
    answer = values;
    end.queued -= 1;
    if (end.closed) return;
    request = issueArrival(controller, {
      ...{ api: 'net.write', what: end.what, origin, context },
      how: { by: 'handle', local: end.peer !== null },
      happen: (done) => done(),
      deliver: () => {
        end.owed.delete(owe);
        answers.reply(values);
      },
    });
    if (end.queued === 0) {
      end.afterQueue?.();
      end.afterQueue = null;
    }
  });
}

function shutDown(host: NetHost, end: End, handle: Handle, req: Req): void {
  const { controller, raw } = host;
  const context = host.capture();
  const origin = originOf(controller, 'net.shutdown');
  const news = originOf(controller, 'net.read');
  const answer = new Once<readonly unknown[]>();
  const answers = takeAnswers(req, (...values) => answer.come(values));
  let request: ReturnType<typeof issueArrival> | null = null;
  // libuv looks after it behind each event of the connection, and a connection that has hung up has one.
  const atOnce = controller.turn !== null && controller.turn === end.lastRead && end.isHungUp;
  const owe = {
    cancel: () => request && controller.cancel(request),
    answer: (code: number) => answers.reply([code]),
    native: () => {
      answers.restore();
      raw['shutdown']!.call(handle, req);
    },
  };
  const offer = (queued: boolean) => {
    request = issueArrival(controller, {
      ...{ api: 'net.shutdown', what: end.what, origin, context },
      how: { by: 'shutdown', queued, atOnce, local: end.peer !== null && !queued },
      happen: (done) => {
        const error = raw['shutdown']!.call(handle, req) as number;
        if (error !== 0) answer.come([error]);
        answer.await(() => {
          end.outside?.ending?.done();
          done();
        });
      },
      deliver: () => {
        end.owed.delete(owe);
        end.finished = true;
        host.tell(end.peer, news);
        answers.reply(answer.value as readonly unknown[]);
      },
    });
  };
  end.owed.add(owe);
  end.outside?.ending?.asked();
  // The kernel gets the end of the stream behind all that was written before.
  if (end.queued > 0) end.afterQueue = () => offer(true);
  else offer(false);
}
