/** The parts that need Babel, loaded with the first module that is not in the cache. */
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { natively } from '../loader/own-require.ts';
import type * as Cjs from './rewrite-cjs.ts';
import type * as Esm from './rewrite-esm.ts';

const require = createRequire(import.meta.url);
const sibling = (name: string): unknown => natively(() => require(`./${name}${extname(import.meta.url)}`));

/** See rewrite-esm. */
export const rewriteModule: typeof Esm.rewriteModule = (text, file) =>
  (sibling('rewrite-esm') as typeof Esm).rewriteModule(text, file);

/** See rewrite-cjs. */
export const rewriteCommonJS: typeof Cjs.rewriteCommonJS = (text) =>
  // Only `import()` is of interest there.
  /\bimport\b/.test(text) ? (sibling('rewrite-cjs') as typeof Cjs).rewriteCommonJS(text) : text;

/** Babel's parser. */
export const parser = (): typeof import('@babel/parser') =>
  natively(() => require('@babel/parser')) as typeof import('@babel/parser');
