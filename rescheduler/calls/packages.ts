/** Packages that a project has for its development only are what its tests are written with, unless they are looked into. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loaderConfig } from '../../monitor/loader/config.ts';

interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

let needs: Needs | null = null;

/** `source`: what is imported; null: nothing is. */
export function isOfDevelopment(source: string | null): boolean {
  if (source === null || /^[./#]|^[a-z]+:/.test(source)) return false;
  const name = source.split('/', source.startsWith('@') ? 2 : 1).join('/');
  if (loaderConfig().instrument.includes(name)) return false;
  needs ??= read();
  const { dependencies = {}, devDependencies = {} } = needs;
  return Object.hasOwn(devDependencies, name) && !Object.hasOwn(dependencies, name);
}

function read(): Needs {
  try {
    return JSON.parse(readFileSync(join(loaderConfig().cwd, 'package.json'), 'utf8')) as Needs;
  } catch {
    return {};
  }
}
