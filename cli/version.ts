import { readFileSync } from 'node:fs';

/** The version in package.json, which is one folder up from the sources and two from `dist/cli`. */
export function version(): string {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')).version;
    } catch {
      // Look one folder further up.
    }
  }
  return 'unknown';
}
