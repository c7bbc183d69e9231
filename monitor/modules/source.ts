/** A user's module as text: read, instrumented, format known. */
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { parser } from './babel.ts';
import { NotLinkable } from './errors.ts';
import { requiredText } from './required-text.ts';

type Format = 'module' | 'commonjs' | 'json';

/** What is done to the text of a module before anything else; must keep lines. */
export type Transform = (text: string, file: string, format: 'module' | 'commonjs') => string;

export interface ModuleSource {
  readonly format: Format;
  readonly text: string;
  /** The text has types in it: see {@link stripTypes}. */
  readonly isTyped: boolean;
  /** It was read by those who have put themselves in the way of `require`, who may have rewritten it. */
  readonly isByOthers: boolean;
}

/** By folder: the `type` of the package that files in it belong to. */
const types = new Map<string, string | null>();

function packageType(folder: string): string | null {
  const known = types.get(folder);
  if (known !== undefined) return known;
  const manifest = join(folder, 'package.json');
  const up = dirname(folder);
  const type = existsSync(manifest)
    ? ((JSON.parse(readFileSync(manifest, 'utf8')) as { type?: string }).type ?? null)
    : up === folder || basename(folder) === 'node_modules'
      ? null
      : packageType(up);
  types.set(folder, type);
  return type;
}

/** Node's rule for a file without any other sign: CommonJS unless only a module can have this syntax. */
function detect(text: string): 'module' | 'commonjs' {
  if (!/\b(?:import|export|await)\b/.test(text)) return 'commonjs';
  try {
    const file = parser().parse(text, {
      sourceType: 'unambiguous',
      plugins: ['typescript'],
      allowReturnOutsideFunction: true,
    });
    return file.program.sourceType === 'module' ? 'module' : 'commonjs';
  } catch {
    return /\bawait\b/.test(text) ? 'module' : 'commonjs';
  }
}

/** The format Node would give to this file. */
function formatOf(file: string, text: string): Format {
  switch (extname(file)) {
    case '.json':
      return 'json';
    case '.mjs':
    case '.mts':
      return 'module';
    case '.cjs':
    case '.cts':
      return 'commonjs';
  }
  const type = packageType(dirname(file));
  if (type === 'module' || type === 'commonjs') return type;
  return detect(text);
}

/**
 * Plain JavaScript, every character in its place. The first call costs as much as starting Node. It warns once that it
 * is experimental; that warning would be the user's to read, not ours.
 */
export function stripTypes(text: string): string {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw Object.assign(new Error(`Cannot find module '${file}'`), { code: 'ERR_MODULE_NOT_FOUND' });
  }
}

/**
 * Reads a module. Every character that remains stays on its line. `viaLoaders`: those of this process read it, in which
 * `transform` has its place.
 */
export function readModule(file: string, transform: Transform, viaLoaders = false): ModuleSource {
  const theirs = asOthersRead(file, viaLoaders);
  if (theirs !== null) return theirs;
  if (viaLoaders && extname(file) !== '.json')
    throw new NotLinkable(file, 'it is required, and there are loaders');
  const raw = read(file).replace(/^\uFEFF/, '');
  const format = formatOf(file, raw);
  if (format === 'json') return { format, text: raw, isTyped: false, isByOthers: false };
  const hashless = raw.replace(/^#!/, '//');
  const text = transform(hashless, file, format);
  return { format, text, isTyped: /\.[cm]?ts$/.test(file), isByOthers: false };
}

/** Whether Node begins to load this file as CommonJS. */
export function isRequired(file: string): boolean {
  const extension = extname(file);
  if (/^\.m[jt]s$/.test(extension)) return false;
  return /^\.c[jt]s$/.test(extension) || packageType(dirname(file)) !== 'module';
}

/**
 * The module as those read it who have put themselves in the way of `require` (babel-register, ts-node); null where nobody
 * has, or where Node would not ask them. Instrumented, where it was to be.
 */
function asOthersRead(file: string, viaLoaders: boolean): ModuleSource | null {
  if (extname(file) === '.json' || !isRequired(file)) return null;
  const text = requiredText(file, viaLoaders);
  if (text === null) return null;
  const type = packageType(dirname(file));
  const format = type === 'commonjs' ? type : detect(text);
  return { format, text: text.replace(/^#!/, '//'), isTyped: false, isByOthers: true };
}
