import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file of which readers see all or nothing; throws where it cannot be written. */
export function writeJson(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(draft, JSON.stringify(value));
  renameSync(draft, path);
}
