/** Whether a member expression is written, updated or deleted rather than read. */
import type { NodePath } from '@babel/traverse';

/** The member is a target: the rule of writes takes it. */
export function isTarget(path: NodePath): boolean {
  const { parentPath, key, listKey } = path;
  if (parentPath === null) return false;
  if (parentPath.isAssignmentExpression() || parentPath.isForXStatement()) return key === 'left';
  if (parentPath.isUpdateExpression()) return true;
  if (parentPath.isUnaryExpression()) return parentPath.node.operator === 'delete';
  return isPatternTarget(path) || (listKey === 'elements' && parentPath.isArrayPattern());
}

/** The member is a place in a destructuring pattern. */
export function isPatternTarget(path: NodePath): boolean {
  const { parentPath, key } = path;
  if (parentPath === null) return false;
  if (parentPath.isRestElement() || parentPath.isArrayPattern()) return true;
  if (parentPath.isAssignmentPattern()) return key === 'left';
  if (parentPath.isObjectProperty()) return key === 'value' && parentPath.parentPath.isObjectPattern();
  return false;
}
