/** Babel, set up so that every node's range is exact: with it, all parentheses and types around an expression. */
import { parse as babelParse, type ParseResult, type ParserOptions } from '@babel/parser';
import type { InstrumentOptions } from './types.ts';
import { unwrapBelow } from './unwrap.ts';

/** The tree of a file; throws Babel's SyntaxError where it does not parse. */
export function parse(code: string, options: InstrumentOptions): ParseResult {
  const plugins: NonNullable<ParserOptions['plugins']> = ['decorators'];
  if (options.typescript) plugins.push('typescript');
  if (options.jsx) plugins.push('jsx');
  const ast = babelParse(code, {
    sourceType: options.kind === 'module' ? 'module' : 'commonjs',
    // As nodes, so that their ranges are known.
    createParenthesizedExpressions: true,
    errorRecovery: false,
    attachComment: true,
    plugins,
  });
  unwrapBelow(ast.program);
  return ast;
}
