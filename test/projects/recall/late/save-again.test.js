// Settings that are saved in the background; where a save meets a lock it tries again with what it had.
import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Settings {
  values = {};

  constructor(dir) {
    this.path = join(dir, 'settings.json');
  }

  set(key, value) {
    this.values[key] = value;
    return this.save(JSON.stringify(this.values));
  }

  async lock() {
    try {
      await (await open(`${this.path}.lock`, 'wx')).close();
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      return false;
    }
  }

  async save(text) {
    while (!(await this.lock())) await sleep(20);
    await writeFile(this.path, text);
    await unlink(`${this.path}.lock`);
  }
}

class FreshSettings extends Settings {
  async save() {
    while (!(await this.lock())) await sleep(20);
    await writeFile(this.path, JSON.stringify(this.values));
    await unlink(`${this.path}.lock`);
  }
}

async function saved(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const settings = new Kind(dir);
  await Promise.all([
    settings.set('theme', 'dark'),
    sleep(60).then(() => settings.set('size', 12)),
    sleep(120).then(() => settings.set('lang', 'en')),
  ]);
  assert.deepEqual(JSON.parse(await readFile(settings.path, 'utf8')), { theme: 'dark', size: 12, lang: 'en' });
  await rm(dir, { recursive: true });
}

test('racy', () => saved(Settings));
test('repaired', () => saved(FreshSettings));
