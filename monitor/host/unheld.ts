/** Sources whose events come straight from Node: using one makes a failure of the run doubtful. */
import http2 from 'node:http2';
import { type Methods, replace } from './jobs.ts';
import type { HostController } from './request.ts';

export function watchUnheld(controller: HostController): void {
  const tls = (process as unknown as { binding(name: string): any }).binding('tls_wrap') as Methods;
  doubt(tls, 'wrap', 'TLS');
  for (const name of ['connect', 'createServer', 'createSecureServer', 'performServerHandshake'])
    doubt(http2 as unknown as Methods, name, 'HTTP/2');
  // Neither its messages nor its end are held.
  process.on('worker', (worker) => {
    if (!controller.active()) return;
    controller.doubt('Worker');
    worker.once('exit', controller.begin('Worker'));
  });

  // Signals come whenever they come, but most programs only prepare for them.
  const { emit } = process;
  process.emit = function (this: NodeJS.Process, ...args: any[]) {
    if (String(args[0]).startsWith('SIG') && !controller.running) controller.doubt('a signal');
    return (emit as Function).apply(this, args);
  } as typeof emit;

  function doubt(target: Methods, name: string, what: string): void {
    replace(
      target,
      name,
      (native) =>
        function (this: unknown, ...args) {
          if (controller.active()) controller.doubt(what);
          return native.apply(this, args);
        },
    );
  }
}
