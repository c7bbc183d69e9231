/**
 * A settings file that is made when it is missing: looked for synchronously, written later.
 * Bad: somebody else makes it between the look and the write, which then fails: that changes nothing and sees that the file
 * is there. RWR on a directory entry.
 * Ok: looked for and written in one turn.
 */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Settings {
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'settings.json');
  }

  async ensure(): Promise<void> {
    if (existsSync(this.path)) return;
    await writeFile(this.path, '{"theme":"light"}', { flag: 'wx' });
  }

  async theme(): Promise<string> {
    await this.ensure();
    return JSON.parse(await readFile(this.path, 'utf8')).theme;
  }
}

class StraightSettings extends Settings {
  override async ensure(): Promise<void> {
    if (!existsSync(this.path)) writeFileSync(this.path, '{"theme":"light"}', { flag: 'wx' });
  }
}

const expectLight = async (settings: Settings): Promise<void> =>
  assert.equal(await settings.theme(), 'light');

twins<Settings>({
  name: 'ensure-file-sync',
  bad: ({ dir }) => new Settings(dir),
  ok: ({ dir }) => new StraightSettings(dir),
  tasks: {
    window: expectLight,
    menu: async (settings) => {
      await sleep(50);
      await expectLight(settings);
    },
  },
  check: () => {},
  expect: { pattern: 'RWR', entityMatch: '^fs:.*settings.json' },
});
