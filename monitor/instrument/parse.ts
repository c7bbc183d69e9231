/** Babel, set up so that every node's range is exact. */
import { parse as babelParse, type ParseResult, type ParserOptions } from '@babel/parser';
import type { InstrumentOptions } from './types.ts';

/** The tree of a file; throws Babel's SyntaxError where it does not parse. */
export function parse(code: string, options: InstrumentOptions): ParseResult {
  const plugins: NonNullable<ParserOptions['plugins']> = ['decorators'];
  if (options.typescript) plugins.push('typescript');
  if (options.jsx) plugins.push('jsx');
  return babelParse(code, {
    sourceType: options.kind === 'module' ? 'module' : 'commonjs',
    // Parentheses as nodes: what is inside of them may be wrapped without looking at the text.
    createParenthesizedExpressions: true,
    errorRecovery: false,
    attachComment: true,
    plugins,
  });
}
