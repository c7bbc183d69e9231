/**
 * A page that is published anew.
 * Bad: the old page is removed before the new one is in place; a visitor in between gets none. WRW on a
 * directory entry. Ok: the new page takes the name in one rename.
 */
import assert from 'node:assert/strict';
import { readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Site {
  readonly page: string;
  readonly draft: string;

  constructor(dir: string) {
    this.page = join(dir, 'index.html');
    this.draft = join(dir, 'draft.html');
  }

  async publish(): Promise<void> {
    await writeFile(this.draft, 'new');
    await unlink(this.page);
    await rename(this.draft, this.page);
  }

  async visit(): Promise<string> {
    return await readFile(this.page, 'utf8');
  }
}

class SteadySite extends Site {
  override async publish(): Promise<void> {
    await writeFile(this.draft, 'new');
    await rename(this.draft, this.page);
  }
}

const withPage = async (site: Site): Promise<Site> => {
  await writeFile(site.page, 'old');
  return site;
};

twins<Site>({
  name: 'replace-by-unlink',
  bad: ({ dir }) => withPage(new Site(dir)),
  ok: ({ dir }) => withPage(new SteadySite(dir)),
  tasks: {
    publish: (site) => site.publish(),
    visit: async (site) => {
      await sleep(80);
      assert.match(await site.visit(), /^(old|new)$/);
    },
  },
  check: () => {},
  expect: { pattern: 'WRW', entityMatch: '^fs:.*index\\.html( \\(content\\))?$' },
});
