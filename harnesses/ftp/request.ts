/**
 * What is being served.
 * Flawed: the request is noted when it comes and again when its file was read; the timer has closed the connection
 * meanwhile, and the closed handler keeps a request for ever. WWW. Ok: noted once.
 */
import { RequestHandler } from '../lib/ftp/request-handler.ts';
import { ftpTwins } from '../lib/ftp/twins.ts';

class FlawedHandler extends RequestHandler {
  override async retrieve(file: string): Promise<void> {
    this.request = `reading ${file}`;
    const content = await this.read(file);
    this.request = `sending ${file}`;
    this.reply(`226 ${content}`);
  }
}

ftpTwins({
  name: 'request',
  flawed: FlawedHandler,
  connections: [['RETR readme']],
  expect: { pattern: 'WWW', entity: 'FlawedHandler#request' },
});
