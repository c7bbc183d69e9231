/**
 * A profile loaded on first use, in callback style.
 * Bad: a late load replaces the profile that somebody has loaded and edited meanwhile; the edit is lost. RWW.
 * Ok: whoever finds the profile loaded when its own load ends keeps what is there.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

interface Profile {
  readonly [field: string]: string;
}
type Loaded = (error: Error | null, profile?: Profile) => void;

class ProfileCache {
  profile: Profile | null = null;
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'profile.json');
  }

  load(done: Loaded): void {
    const known = this.profile;
    if (known) {
      done(null, known);
      return;
    }
    readFile(this.path, 'utf8', (error, text) => {
      if (error) return done(error);
      const profile: Profile = JSON.parse(text);
      this.profile = profile;
      done(null, profile);
    });
  }

  edit(field: string, value: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.load((error, profile) => {
        if (error) return reject(error);
        this.profile = { ...profile, [field]: value };
        resolve();
      });
    });
  }
}

class KeepingProfileCache extends ProfileCache {
  override load(done: Loaded): void {
    const known = this.profile;
    if (known) {
      done(null, known);
      return;
    }
    readFile(this.path, 'utf8', (error, text) => {
      if (error) return done(error);
      this.profile ??= JSON.parse(text) as Profile;
      done(null, this.profile);
    });
  }
}

const start = async (cache: ProfileCache): Promise<ProfileCache> => {
  await writeFile(cache.path, JSON.stringify({ name: 'ann' }));
  return cache;
};

twins<ProfileCache>({
  name: 'callback-profile',
  bad: ({ dir }) => start(new ProfileCache(dir)),
  ok: ({ dir }) => start(new KeepingProfileCache(dir)),
  tasks: {
    town: (cache) => cache.edit('town', 'Ghent'),
    phone: async (cache) => {
      await sleep(80);
      await cache.edit('phone', '123');
    },
  },
  check: ({ profile }) => assert.deepEqual(profile, { name: 'ann', town: 'Ghent', phone: '123' }),
  expect: { pattern: 'RWW', entity: 'ProfileCache#profile' },
});
