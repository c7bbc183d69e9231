/** Temporary folders of this process; gone when it ends, whichever way (see reaper). */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { tellReaper } from './reaper.ts';

/** Memory that must be free before warm runs keep their files in it. */
const ENOUGH_BYTES = 1 << 30;
const MEMORY = '/dev/shm';

export interface ScratchRoots {
  /** On the disk, where temporary files usually are. */
  readonly disk: string;
  /** In memory where the system offers that, else on the disk. */
  readonly memory: string;
}

let names: ScratchRoots | null = null;
let roots: ScratchRoots | null = null;
let isGuarded = false;

/** A name as those that `mkdtemp` gives: paths in it are told by its form. */
const fresh = (directory: string): string =>
  join(directory, `unweave-${randomBytes(9).toString('base64').replace(/[+/]/g, 'x').slice(0, 6)}`);

function rootNames(): ScratchRoots {
  if (!names) {
    const disk = fresh(realpathSync(tmpdir()));
    names = { disk, memory: isMemoryFree() ? fresh(MEMORY) : disk };
  }
  return names;
}

/** From here on they are removed however we end: told before there is anything, for we may be killed at any moment. */
export function guardRoots(): void {
  if (isGuarded) return;
  isGuarded = true;
  for (const root of Object.values(rootNames())) tellReaper('/', root);
}

/** The folders under which all temporary ones are made. */
export function scratchRoots(): ScratchRoots {
  if (!roots) {
    const { disk, memory } = rootNames();
    const made = [...new Set([disk, memory])];
    process.on('exit', () => {
      for (const root of made) rmSync(root, { recursive: true, force: true });
    });
    for (const root of made) mkdirSync(root, { mode: 0o700 });
    roots = { disk, memory };
  }
  return roots;
}

function isMemoryFree(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, constants.W_OK);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** A fresh folder; the caller removes it with {@link dropFolder}. */
export function makeFolder(where: keyof ScratchRoots): string {
  guardRoots();
  return mkdtempSync(join(scratchRoots()[where], 'run-'));
}

/**
 * Makes the temporary directory of a program inside of a folder of {@link makeFolder}. All of them are equally deep,
 * on the disk and in memory: `realpath` asks for each folder on the way, and every run must take the same steps.
 */
export function makeTmp(folder: string): string {
  const { disk, memory } = scratchRoots();
  const depth = (path: string): number => path.split(sep).length;
  const deepest = Math.max(depth(disk), depth(memory)) + 2;
  const path = join(folder, ...new Array<string>(deepest - depth(folder)).fill('tmp'));
  mkdirSync(path, { recursive: true });
  return path;
}

/** Removes a folder with all that is in it. */
export const dropFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
