/**
 * Settings rewritten while somebody reads them.
 * Bad: the file is truncated, then written; a reader in between finds it empty.
 * Ok: the new text goes to another file that then takes the name.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '../api.ts';
import { readJson, replaceFile } from '../lib/files.ts';

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
const tasks = {
  writer: ({ file }: State) => file.save({ theme: 'dark' }),
  reader: async (state: State) => {
    await sleep(80);
    state.seen = await state.file.load();
  },
};
const check = ({ seen }: State) => assert.match(String(seen?.theme), /^(light|dark)$/);

harness({
  name: 'torn-file/bad',
  setup: ({ dir }) => stateOf(new SettingsFile(dir)),
  tasks,
  check,
  // RWR: the reader has opened the file, the writer truncates it, the reader reads nothing.
  expect: { bug: true, pattern: ['WRW', 'RWR'], entityMatch: '^fs:.*settings\\.json' },
});

harness({
  name: 'torn-file/ok',
  setup: ({ dir }) => stateOf(new AtomicSettingsFile(dir)),
  tasks,
  check,
  expect: { bug: false },
});
