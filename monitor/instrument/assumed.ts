/** Functions that the user wants to be taken for requests to the host (`assumeIo`). */
import type { NodePath } from '@babel/traverse';
import { namesFunction } from '../../data/function-pattern.ts';
import type * as t from './ast.ts';
import type { RuleContext } from './context.ts';
import { functionName } from './names.ts';

/** Whether the calls of a function may be made to complete like a host request. Generators have no one answer. */
export function isAssumed({ options }: RuleContext, path: NodePath<t.Function>): boolean {
  const { assumeIo, file } = options;
  if (assumeIo === undefined || path.node.generator) return false;
  const name = functionName(path);
  return assumeIo.some((pattern) => namesFunction(pattern, file, name));
}
