/**
 * Accesses to fields of one object in straight-line code share one hook: nothing can come between them, so
 * they are logged together, at the first one. Arithmetic code then runs about twice as fast, and records less.
 *
 * A group ends at every call, `await` and `yield`, and takes only what is evaluated on every way through.
 * Within it, a second read of a key and a read of a key that it has written say nothing new.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from './ast.ts';
import { keyName } from './names.ts';
import { isPureCall, isQuietName } from './objects.ts';

/** A member that is read, an assignment of one, or an update, which is both. */
export interface MemberAccess {
  readonly node: t.Node;
  readonly member: t.MemberExpression;
  readonly key: string;
  readonly kinds: readonly AccessKind[];
}
export type AccessKind = 'read' | 'write';

const READ: readonly AccessKind[] = ['read'];
const WRITE: readonly AccessKind[] = ['write'];
const BOTH: readonly AccessKind[] = ['read', 'write'];

/** Accesses in order of evaluation; the first carries the hook. */
export interface Group {
  /** The object: a variable that is never assigned, `this`, or fields of these that nobody assigns here. */
  readonly name: string;
  readonly accesses: readonly MemberAccess[];
}

/** The groups of a list of statements. */
export function groupsIn(statements: readonly t.Node[], path: NodePath): Group[] {
  const collector = new GroupCollector(path);
  for (const statement of statements) collector.statement(statement);
  collector.flush();
  return collector.groups;
}

class GroupCollector {
  readonly groups: Group[] = [];
  readonly #path: NodePath;
  readonly #open = new Map<string, MemberAccess[]>();
  /** How often all groups have ended. */
  #ends = 0;
  /** Inside of something that may not be evaluated. */
  #maybe = 0;

  constructor(path: NodePath) {
    this.#path = path;
  }

  flush() {
    this.#ends++;
    for (const name of this.#open.keys()) this.#close(name);
  }

  #close(name: string) {
    const accesses = this.#open.get(name)!;
    if (accesses.length > 1) this.groups.push({ name, accesses });
    this.#open.delete(name);
  }

  statement(node: t.Node) {
    switch (node.type) {
      case 'ExpressionStatement':
        return this.#walk(node.expression);
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          this.#walk(init);
          if (id.type !== 'Identifier') this.flush();
        }
        return;
      case 'ReturnStatement':
      case 'ThrowStatement':
        this.#walk(node.argument);
        return this.flush();
      case 'IfStatement':
        this.#walk(node.test);
        this.#maybe++;
        this.statement(node.consequent);
        if (node.alternate) this.statement(node.alternate);
        this.#maybe--;
        return;
      case 'BlockStatement':
        for (const inner of node.body) this.statement(inner);
        return;
      case 'EmptyStatement':
        return;
      default:
        // Loops, and jumps: what follows a jump is not evaluated on every way through.
        return this.flush();
    }
  }

  #walk(node: t.Node | null | undefined): void {
    if (node === null || node === undefined) return;
    switch (node.type) {
      case 'Identifier':
      case 'ThisExpression':
      case 'Super':
      case 'MetaProperty':
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
      case 'NullLiteral':
      case 'BigIntLiteral':
      case 'RegExpLiteral':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return;
      case 'BinaryExpression':
        this.#walk(node.left);
        this.#walk(node.right);
        return;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.flush();
        else this.#walk(node.argument);
        return;
      case 'LogicalExpression':
        this.#walk(node.left);
        this.#perhaps(node.right);
        return;
      case 'ConditionalExpression':
        this.#walk(node.test);
        this.#perhaps(node.consequent);
        this.#perhaps(node.alternate);
        return;
      case 'SequenceExpression':
      case 'TemplateLiteral':
        for (const part of node.expressions) this.#walk(part);
        return;
      case 'ArrayExpression':
        for (const element of node.elements) this.#walk(element);
        return;
      case 'ObjectExpression':
        for (const property of node.properties) {
          if (property.type !== 'ObjectProperty') this.flush();
          else {
            if (property.computed) this.#walk(property.key);
            this.#walk(property.value);
          }
        }
        return;
      case 'MemberExpression':
        this.#walk(node.object);
        if (node.computed) this.#walk(node.property);
        this.#note(node, node, READ);
        return;
      case 'AssignmentExpression':
        this.#assignment(node);
        return;
      case 'UpdateExpression':
        if (node.argument.type !== 'MemberExpression') return;
        this.#walk(node.argument.object);
        this.#note(node, node.argument, BOTH);
        return;
      case 'CallExpression':
        if (isPureCall(this.#path, node)) {
          for (const argument of node.arguments) this.#walk(argument);
          return;
        }
        if (node.callee.type === 'MemberExpression') this.#walk(node.callee.object);
        for (const argument of node.arguments) this.#walk(argument);
        this.flush();
        return;
      default:
        // A call, an await, a spread, an optional chain: anything may run in it.
        this.flush();
        return;
    }
  }

  #perhaps(node: t.Node) {
    this.#maybe++;
    this.#walk(node);
    this.#maybe--;
  }

  #assignment(node: t.AssignmentExpression): void {
    const { left, right, operator } = node;
    if (left.type !== 'Identifier' && left.type !== 'MemberExpression') {
      this.flush();
      return;
    }
    if (left.type === 'MemberExpression') {
      this.#walk(left.object);
      if (left.computed) this.#walk(left.property);
    }
    if (isLogical(operator)) {
      this.#perhaps(right);
      return;
    }
    const ends = this.#ends;
    this.#walk(right);
    if (left.type === 'Identifier') return;
    if (operator === '=') this.#note(node, left, WRITE);
    // Its read comes before whatever its value waits for, its write after that.
    else if (ends === this.#ends) this.#note(node, left, BOTH);
  }

  #note(node: t.Node, member: t.MemberExpression, kinds: readonly AccessKind[]) {
    const name = this.#nameOf(member.object);
    const key = member.computed && member.property.type === 'Identifier' ? null : keyName(member.property);
    if (key === null) return;
    const writes = kinds.includes('write');
    if (writes) this.#assigned(key);
    if (name === null) return;
    const accesses = this.#open.get(name);
    const access = { node, member, key, kinds };
    // What may not be evaluated is only left out where it says nothing new.
    if (this.#maybe > 0 && (accesses === undefined || newsOf(access, accesses).length > 0)) return;
    if (accesses !== undefined) accesses.push(access);
    else if (canLead(name, access)) this.#open.set(name, [access]);
  }

  #nameOf(object: t.Node): string | null {
    if (object.type === 'ThisExpression') return 'this';
    if (object.type === 'MemberExpression' && !object.computed) {
      const owner = this.#nameOf(object.object);
      return owner === null ? null : `${owner}.${keyName(object.property)}`;
    }
    if (object.type !== 'Identifier' || isQuietName(this.#path, object.name)) return null;
    return this.#path.scope.getBinding(object.name)?.constant ? object.name : null;
  }

  /** A field is assigned: whatever was reached through a field of that name may be another object now. */
  #assigned(key: string) {
    for (const name of this.#open.keys()) if (name.split('.').slice(1).includes(key)) this.#close(name);
  }
}

/** Whether a group may begin with it: the hook of a plain write names its object, and must not read a field. */
export function canLead(name: string, { kinds }: MemberAccess): boolean {
  return kinds[0] === 'read' || !name.includes('.');
}

/** What earlier accesses of the group have not said already. */
export function newsOf(
  { key, kinds }: MemberAccess,
  earlier: readonly MemberAccess[],
): readonly AccessKind[] {
  const same = earlier.filter((access) => access.key === key);
  const written = same.some((access) => access.kinds.includes('write'));
  return kinds.filter((kind) => !written && (kind === 'write' || same.length === 0));
}

function isLogical(operator: string): boolean {
  return operator === '??=' || operator === '||=' || operator === '&&=';
}
