/**
 * Where replies go.
 * Flawed: the writer is there when the request comes; when the file has been read, the timer has closed the
 * connection and there is none. RWR. Ok: one look at the writer, and it is asked whether it still takes anything.
 */
import { RequestHandler } from '../lib/ftp/request-handler.ts';
import { ftpTwins } from '../lib/ftp/twins.ts';

class FlawedHandler extends RequestHandler {
  override async retrieve(file: string): Promise<void> {
    if (this.writer === null) return;
    const content = await this.read(file);
    this.writer.write(`226 ${content}\r\n`);
  }
}

ftpTwins({
  name: 'writer',
  flawed: FlawedHandler,
  connections: [['RETR readme']],
  expect: { pattern: 'RWR', entity: 'FlawedHandler#writer' },
});
