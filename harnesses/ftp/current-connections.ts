/**
 * The number of connections, by which the window is divided.
 * Flawed: a connection is counted, and the window divided after a line is logged; the timer has closed the connection
 * meanwhile and nothing can be divided by zero. WWR. Ok: counted and divided in one turn.
 */
import { RequestHandler } from '../lib/ftp/request-handler.ts';
import { ftpTwins } from '../lib/ftp/twins.ts';

class FlawedHandler extends RequestHandler {
  override async welcome(): Promise<void> {
    this.server.currConnections += 1;
    await this.server.log('connected');
    this.reply(`220 window of ${this.share().length}`);
  }
}

ftpTwins({
  name: 'current-connections',
  flawed: FlawedHandler,
  connections: [[]],
  expect: { pattern: 'WWR', entity: 'FtpServer#currConnections' },
});
