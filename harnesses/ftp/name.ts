/**
 * Who has logged in.
 * Flawed: the name is set before the password is checked and taken back when it is wrong; the timer says good-bye to
 * somebody who was never let in. WRW. Ok: the name is set when the password was right.
 */
import { RequestHandler } from '../lib/ftp/request-handler.ts';
import { ftpTwins } from '../lib/ftp/twins.ts';

class FlawedHandler extends RequestHandler {
  override async login(credentials: string): Promise<void> {
    const [name = '', password] = credentials.split(':');
    this.name = name;
    const right = (await this.read(`${name}.password`)) === password;
    if (right) {
      this.server.welcomed.add(name);
      this.server.currLogins += 1;
      return this.reply(`230 hello ${name}`);
    }
    this.name = null;
    this.reply('530 not logged in');
  }
}

ftpTwins({
  name: 'name',
  flawed: FlawedHandler,
  connections: [['LOGIN ann:guess']],
  expect: { pattern: 'WRW', entity: 'FlawedHandler#name' },
});
