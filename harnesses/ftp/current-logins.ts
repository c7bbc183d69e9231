/**
 * The number of users that are logged in.
 * Flawed: it is read before the password is checked and written after; when the timer logs another user off
 * meanwhile, that user is counted for ever. RWW. Ok: read and written in one turn.
 */
import { RequestHandler } from '../lib/ftp/request-handler.ts';
import { ftpTwins } from '../lib/ftp/twins.ts';

class FlawedHandler extends RequestHandler {
  override async login(credentials: string): Promise<void> {
    const [name = '', password] = credentials.split(':');
    const logins = this.server.currLogins;
    const right = (await this.read(`${name}.password`)) === password;
    if (this.closed) return;
    if (!right) return this.reply('530 not logged in');
    this.server.welcomed.add(name);
    this.server.currLogins = logins + 1;
    this.name = name;
    this.reply(`230 hello ${name}`);
  }
}

ftpTwins({
  name: 'current-logins',
  flawed: FlawedHandler,
  connections: [['LOGIN ann:secret'], ['LOGIN bob:hidden']],
  expect: { pattern: 'RWW', entity: 'FtpServer#currLogins' },
});
