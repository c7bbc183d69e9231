/** Syntax that holds no running code, or code that is not ours to touch: the walk does not enter it. */
import type { NodePath, Visitor } from '@babel/traverse';

const skip = (path: NodePath) => path.skip();

export const QUIET_SYNTAX: Visitor = {
  Decorator: skip,
  TSType: skip,
  TSTypeAnnotation: skip,
  TSTypeParameterInstantiation: skip,
  TSTypeParameterDeclaration: skip,
  TSInterfaceDeclaration: skip,
  TSTypeAliasDeclaration: skip,
  TSClassImplements: skip,
  TSInterfaceHeritage: skip,
  TSDeclareFunction: skip,
  TSDeclareMethod: skip,
  TSEnumDeclaration: skip,
  TSModuleDeclaration: skip,
  TSImportEqualsDeclaration: skip,
  TSIndexSignature: skip,
  ImportDeclaration: skip,
};
