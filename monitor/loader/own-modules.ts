/**
 * Imported for its effect: from here on this thread finds our own modules without a search. Where they are and what
 * they are is known; Node would ask the file system several times for each, which is a good part of what a short-lived
 * process takes to start.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { OWN_FOLDERS } from '../../data/own-folders.ts';
import { keepCompiled } from './keep-compiled.ts';
// What Node loads by is remembered while nobody has put himself in its way.
import './own-require.ts';

keepCompiled();

const ROOT = new URL('../../', import.meta.url).href;
const FOLDER = new RegExp(`^(?:${OWN_FOLDERS.join('|')})/[^?#]*(?<!\\.c)[jt]s$`);
const isOwn = (url = ''): boolean => url.startsWith(ROOT) && FOLDER.test(url.slice(ROOT.length));

const isCompiled = import.meta.url.endsWith('.js');
const format = isCompiled ? 'module' : 'module-typescript';

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !isOwn(context.parentURL)) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true };
  },
  load(url, context, next) {
    if (!isCompiled || !isOwn(url)) return next(url, context);
    return { format, source: readFileSync(fileURLToPath(url)), shortCircuit: true };
  },
});
