/** Babel's node types, taken from the walker's own so that there is one version of them. */
import type { NodePath } from '@babel/traverse';

export type Node = NonNullable<NodePath['node']>;
type Of<K extends Node['type']> = Extract<Node, { type: K }>;

export type ArrayExpression = Of<'ArrayExpression'>;
export type ArrowFunctionExpression = Of<'ArrowFunctionExpression'>;
export type AssignmentExpression = Of<'AssignmentExpression'>;
export type AssignmentPattern = Of<'AssignmentPattern'>;
export type AwaitExpression = Of<'AwaitExpression'>;
export type BinaryExpression = Of<'BinaryExpression'>;
export type CallExpression = Of<'CallExpression'>;
export type CatchClause = Of<'CatchClause'>;
export type Class = Of<'ClassDeclaration' | 'ClassExpression'>;
export type Comment = NonNullable<Node['leadingComments']>[number];
export type ForInStatement = Of<'ForInStatement'>;
export type ForOfStatement = Of<'ForOfStatement'>;
export type ForXStatement = Of<'ForInStatement' | 'ForOfStatement'>;
export type Function = Of<
  | 'FunctionDeclaration'
  | 'FunctionExpression'
  | 'ArrowFunctionExpression'
  | 'ObjectMethod'
  | 'ClassMethod'
  | 'ClassPrivateMethod'
>;
export type Identifier = Of<'Identifier'>;
export type ImportDeclaration = Of<'ImportDeclaration'>;
export type Loop = Of<
  'ForStatement' | 'ForInStatement' | 'ForOfStatement' | 'WhileStatement' | 'DoWhileStatement'
>;
export type MemberExpression = Of<'MemberExpression'>;
/** `a.b`, `a?.b` where it stands. */
export type MemberPath = NodePath<MemberExpression> | NodePath<OptionalMemberExpression>;
export type NewExpression = Of<'NewExpression'>;
export type ObjectExpression = Of<'ObjectExpression'>;
export type ObjectPattern = Of<'ObjectPattern'>;
export type ObjectProperty = Of<'ObjectProperty'>;
export type OptionalCallExpression = Of<'OptionalCallExpression'>;
export type OptionalMemberExpression = Of<'OptionalMemberExpression'>;
export type Program = Of<'Program'>;
export type ReturnStatement = Of<'ReturnStatement'>;
export type SpreadElement = Of<'SpreadElement'>;
export type TryStatement = Of<'TryStatement'>;
export type UpdateExpression = Of<'UpdateExpression'>;
export type VariableDeclaration = Of<'VariableDeclaration'>;
export type VariableDeclarator = Of<'VariableDeclarator'>;
export type Wrapper = Of<
  | 'ParenthesizedExpression'
  | 'TSAsExpression'
  | 'TSInstantiationExpression'
  | 'TSNonNullExpression'
  | 'TSSatisfiesExpression'
  | 'TSTypeAssertion'
>;
export type YieldExpression = Of<'YieldExpression'>;
