/** What a view of shared memory is called in the source: the variable or property that holds it. */
import type * as t from '../ast.ts';
import { keyName } from '../names.ts';

/** `balance` for `balance`, `this.balance`, `state.balance!`; null where nothing names it. */
export function viewName(node: t.Node): string | null {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return node.computed && node.property.type === 'Identifier' ? null : keyName(node.property);
    default:
      return null;
  }
}
