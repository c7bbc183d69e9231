/**
 * Settings rewritten while somebody reads them.
 * Bad: the file is truncated, then written; a reader in between finds it empty.
 * Ok: the new text goes to another file that then takes the name.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, replaceFile } from '../lib/files.ts';
import { twins } from '../lib/twins.ts';

interface Settings {
  readonly theme: string;
}

class SettingsFile {
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'settings.json');
  }

  load(): Promise<Settings> {
    return readJson(this.path);
  }

  async save(settings: Settings): Promise<void> {
    await writeFile(this.path, JSON.stringify(settings));
  }
}

class AtomicSettingsFile extends SettingsFile {
  override async save(settings: Settings): Promise<void> {
    await replaceFile(this.path, JSON.stringify(settings), 'save');
  }
}

interface State {
  readonly file: SettingsFile;
  seen: Settings | null;
}

const stateOf = async (file: SettingsFile): Promise<State> => {
  await writeFile(file.path, JSON.stringify({ theme: 'light' }));
  return { file, seen: null };
};

twins<State>({
  name: 'torn-file',
  bad: ({ dir }) => stateOf(new SettingsFile(dir)),
  ok: ({ dir }) => stateOf(new AtomicSettingsFile(dir)),
  tasks: {
    writer: ({ file }) => file.save({ theme: 'dark' }),
    reader: async (state) => {
      await sleep(80);
      state.seen = await state.file.load();
    },
  },
  check: ({ seen }) => assert.match(String(seen?.theme), /^(light|dark)$/),
  // RWR: the reader has opened the file, the writer truncates it, the reader reads nothing.
  expect: { pattern: ['WRW', 'RWR'], entityMatch: '^fs:.*settings\\.json' },
});
