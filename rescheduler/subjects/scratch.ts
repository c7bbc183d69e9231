/** Temporary folders of this process; gone when it ends, whichever way (see groups). */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';

/** Memory that must be free before warm runs keep their files in it. */
const ENOUGH_BYTES = 1 << 30;
const MEMORY = '/dev/shm';

export interface ScratchRoots {
  /** On the disk, where temporary files usually are. */
  readonly disk: string;
  /** In memory where the system offers that, else on the disk. */
  readonly memory: string;
}

let roots: ScratchRoots | null = null;

/** The folders under which all temporary ones are made. */
export function scratchRoots(): ScratchRoots {
  if (!roots) {
    const disk = mkdtempSync(join(realpathSync(tmpdir()), 'unweave-'));
    roots = { disk, memory: memoryRoot() ?? disk };
    const { memory } = roots;
    process.on('exit', () => {
      for (const root of [disk, memory]) rmSync(root, { recursive: true, force: true });
    });
  }
  return roots;
}

function memoryRoot(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH_BYTES ? mkdtempSync(join(MEMORY, 'unweave-')) : null;
  } catch {
    return null;
  }
}

/** A fresh folder; the caller removes it with {@link dropFolder}. */
export const makeFolder = (where: keyof ScratchRoots): string =>
  mkdtempSync(join(scratchRoots()[where], 'run-'));

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
