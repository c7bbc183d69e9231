/** What the engine quotes in a message about an expression: it words that by the tree, hooks included. */
import { createRequire } from 'node:module';
import type * as t from '../instrument/ast.ts';
import { originalColumn, originalSource } from './to-string.ts';

/** The innermost frame of a stack: file, line and column. */
const FRAME = /\n {4}at (?:.*\()?(?:file:\/\/)?(\/.*?):(\d+):(\d+)\)?(?:\n|$)/;
const MESSAGES = [
  /^()(.*?) is not a function or its return value( is not (?:async )?iterable)$/s,
  /^()(.*)( is not (?:a function|a constructor|(?:async )?iterable))$/s,
  /^(Cannot destructure property '.*' of ')(.*)(' as it is (undefined|null)\.)$/s,
];

/** What `assert.ok` calls a value that it was not given words for. */
const FALSY = 'The expression evaluated to a falsy value:\n\n  ';

/** Where in the user's text a stack begins. */
function placeIn(stack: string): { readonly text: string; readonly at: number } | null {
  const place = FRAME.exec(stack);
  if (!place) return null;
  const [, path, line, column] = place as unknown as [string, string, string, string];
  const source = originalSource(path);
  const original = source && originalColumn(source.file, Number(line), Number(column));
  if (!source || !original) return null;
  return { text: source.text, at: offsetOf(source.text, Number(line), original) };
}

/**
 * The message that `assert.ok` makes from the text of its call, where `stack` begins; null where that is not known. As in
 * Node (lib/internal/errors/error_source.js) it quotes from the names before the call up to its last parenthesis, of its
 * first line only, and nothing at all where a semicolon stands within.
 */
export function assertedAt(message: string, stack: string): string | null {
  const isQuote = message.startsWith(FALSY);
  const place = isQuote || message.endsWith(' == true') ? placeIn(stack) : null;
  if (!place) return null;
  const { text, at } = place;
  const { program, tokens } = parsed(text);
  let call: t.CallExpression | t.OptionalCallExpression | null = null;
  visit(program, (node) => {
    const isCall = node.type === 'CallExpression' || node.type === 'OptionalCallExpression';
    if (isCall && isCalledAt(node.callee, at)) call ??= node;
  });
  if (!call) return null;
  const { callee, end } = call as t.CallExpression;
  // Other assertions compare with `true` in these words.
  if (!isQuote && !/^(?:assert|ok|strict)$/.test(nameOf(callee))) return null;
  const newline = text.indexOf('\n', at);
  const last = newline >= 0 && newline < end! ? newline : end!;
  const isCut = tokens.some(({ start, type }) => start > at && start < last && type.label === ';');
  const first = isPlainMember(callee) && !text.slice(callee.start!, at).includes('\n') ? callee.start! : at;
  return isCut ? null : `${FALSY}${escaped(text.slice(first, last))}\n`;
}

/** As Node shows a quote: control characters but for tabs and line ends are spelt. */
const escaped = (quote: string): string =>
  quote.replace(/\p{Cc}/gu, (char) => {
    if (char > '\u001f' || '\t\n\r'.includes(char)) return char;
    return JSON.stringify(char).slice(1, -1);
  });

/** `a.b['c']`: names alone. */
function isPlainMember(node: t.Node): boolean {
  if (node.type === 'Identifier') return true;
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return false;
  return (
    /^(?:Identifier|StringLiteral|NumericLiteral)$/.test(node.property.type) && isPlainMember(node.object)
  );
}

function nameOf(callee: t.Node): string {
  const isMember = callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression';
  const name = isMember ? callee.property : callee;
  return name.type === 'Identifier' ? name.name : '';
}

/** `message` as plain Node words it, by the place where `stack` says that it was thrown; null where that is not known. */
export function quotedAt(message: string, stack: string): string | null {
  const words = MESSAGES.map((pattern) => pattern.exec(message)).find((match) => match !== null);
  const place = words ? placeIn(stack) : null;
  if (!words || !place) return null;
  const quote = quoteAt(place.text, place.at, words[4]);
  return quote === null ? null : `${words[1]}${quote}${words[3]}`;
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let n = 1; n < line; n++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

/** What is quoted of the expression that failed at `at`; `taken`: the value that a pattern took apart. */
function quoteAt(text: string, at: number, taken: string | undefined): string | null {
  let quote: string | null = null;
  visit(parsed(text).program, (node) => {
    if (taken === undefined) quote = quoted(failing(node, at)) ?? quote;
    else if (isMovedTo(node, at))
      quote = node.type === 'ForOfStatement' ? '.for' : taken === 'null' ? 'object null' : taken;
    else quote = quoted(takenApart(node, at)) ?? quote;
  });
  return quote;
}

interface Parsed {
  readonly program: t.Node;
  readonly tokens: readonly { readonly start: number; readonly type: { readonly label?: string } }[];
}

let latest: { readonly text: string; readonly file: Parsed } | null = null;

/** Forced orders fail in the same file, one after the other. */
function parsed(text: string): Parsed {
  if (latest?.text === text) return latest.file;
  // Programs seldom fail in such a way.
  const { parse } = createRequire(import.meta.url)('@babel/parser') as typeof import('@babel/parser');
  const options = { sourceType: 'unambiguous', tokens: true, errorRecovery: true } as const;
  const file = parse(text, { ...options, plugins: ['typescript'] }) as unknown as Parsed;
  latest = { text, file };
  return file;
}

function visit(node: t.Node, see: (node: t.Node) => void) {
  see(node);
  for (const child of Object.values(node).flat()) {
    if (typeof child?.type === 'string' && typeof child.start === 'number') visit(child, see);
  }
}

/** The expression of a node that was called, constructed or run over, where the engine places that at `at`. */
function failing(node: t.Node, at: number): t.Node | null {
  switch (node.type) {
    case 'CallExpression':
    case 'OptionalCallExpression':
      return isCalledAt(node.callee, at) ? node.callee : null;
    case 'NewExpression':
      return node.start === at ? node.callee : null;
    case 'ForOfStatement':
      return node.right.start === at ? node.right : null;
    case 'SpreadElement':
      return node.argument.start === at ? node.argument : null;
    case 'VariableDeclarator':
      return node.init?.start === at ? node.init : null;
    default:
      return null;
  }
}

/** A call is at the name of its method, or else where its arguments begin. */
function isCalledAt(callee: t.Node, at: number): boolean {
  if (callee.end === at || (callee.type === 'Identifier' && callee.start === at)) return true;
  const isMember = callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression';
  return isMember && !callee.computed && callee.property.start === at;
}

/** The value of a declaration or assignment whose pattern has a property at `at`. */
function takenApart(node: t.Node, at: number): t.Node | null {
  if (node.type === 'VariableDeclarator' && begins(node.id, at)) return node.init ?? null;
  return node.type === 'AssignmentExpression' && begins(node.left, at) ? node.right : null;
}

const begins = (pattern: t.Node, at: number) =>
  pattern.type === 'ObjectPattern' && pattern.properties.some(({ start }) => start === at);

/** The body of a function or loop begins at `at`: a pattern of its head has been moved there. */
function isMovedTo(node: t.Node, at: number): boolean {
  if (!('body' in node) || node.body === null || Array.isArray(node.body)) return false;
  const { type, start } = node.body as t.Node;
  return (type === 'BlockStatement' ? start! + 1 : start) === at;
}

/** In the words of the engine; null where those are not worth knowing. */
function quoted(node: t.Node | null): string | null {
  switch (node?.type) {
    case 'Identifier':
      return node.name;
    case 'ThisExpression':
      return 'this';
    case 'Super':
      return '(intermediate value)';
    case 'StringLiteral':
      return `"${node.value}"`;
    case 'NumericLiteral':
      return String(node.value);
    case 'TSAsExpression':
    case 'TSInstantiationExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return quoted(node.expression);
    case 'CallExpression':
    case 'OptionalCallExpression':
      return joined(quoted(node.callee), '(...)');
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const { object, property, computed } = node;
      const chain = 'optional' in node && node.optional ? '?' : '';
      if (property.type === 'PrivateName') return joined(quoted(object), `[#${property.id.name}]`);
      if (!computed) return joined(quoted(object), `${chain}.${(property as t.Identifier).name}`);
      if (property.type === 'StringLiteral') return joined(quoted(object), `${chain}.${property.value}`);
      return joined(quoted(object), `${chain && '?.'}[`, quoted(property), ']');
    }
    default:
      return null;
  }
}

function joined(...parts: readonly (string | null)[]): string | null {
  return parts.includes(null) ? null : parts.join('');
}
