/**
 * Messages read by a mailer and removed by a sweeper.
 * Bad: the message is looked for, then read; it is swept away in between. RWR on a directory entry.
 * Ok: read without looking; "not found" means there is none.
 */
import assert from 'node:assert/strict';
import { access, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Inbox {
  readonly message: string;

  constructor(dir: string) {
    this.message = join(dir, 'message.txt');
  }

  async read(): Promise<string | null> {
    const present = await access(this.message).then(
      () => true,
      () => false,
    );
    return present ? await readFile(this.message, 'utf8') : null;
  }

  async sweep(): Promise<void> {
    await unlink(this.message);
  }
}

class TolerantInbox extends Inbox {
  override async read(): Promise<string | null> {
    try {
      return await readFile(this.message, 'utf8');
    } catch {
      return null;
    }
  }
}

const withMessage = async (inbox: Inbox): Promise<Inbox> => {
  await writeFile(inbox.message, 'hello');
  return inbox;
};

twins<Inbox>({
  name: 'inbox-sweep',
  bad: ({ dir }) => withMessage(new Inbox(dir)),
  ok: ({ dir }) => withMessage(new TolerantInbox(dir)),
  tasks: {
    mailer: async (inbox) => assert.ok(['hello', null].includes(await inbox.read())),
    sweeper: async (inbox) => {
      await sleep(80);
      await inbox.sweep();
    },
  },
  check: () => {},
  expect: { pattern: 'RWR', entityMatch: '^fs:.*message\\.txt( \\(content\\))?$' },
});
