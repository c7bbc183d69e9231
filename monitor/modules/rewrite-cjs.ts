/** A CommonJS module as the body of a function: only `import()` must be led to the linker. */
import { parse } from '@babel/parser';
import MagicString from 'magic-string';
import { type Node, type Path, traverse } from './syntax.ts';

/** Rewrites the text of a CommonJS module; most texts come back as they are. */
export function rewriteCommonJS(text: string): string {
  if (!/\bimport\s*(\/\*.*\*\/\s*)?\(/.test(text)) return text;
  const ast = parse(text, {
    sourceType: 'script',
    allowReturnOutsideFunction: true,
    allowNewTargetOutsideFunction: true,
  });
  const out = new MagicString(text);
  traverse(ast as unknown as Node, {
    ImportExpression({ node }: Path) {
      out.update(node.start, node.start + 'import'.length, '__uw_load');
    },
  });
  return out.toString();
}
