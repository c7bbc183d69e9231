/** Messages that quote instrumented text are shown with the user's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainMessage, runtime } from '../../monitor/runtime/index.ts';

/** Registers `text` with the parts in angle brackets as ours; gives the instrumented text. */
function instrumented(text: string, first: number): string {
  const inserted: number[] = [];
  let code = '';
  for (const part of text.split(/(<[^>]*>)/)) {
    const ours = part.startsWith('<');
    if (ours) inserted.push(code.length, part.length - 2);
    code += ours ? part.slice(1, -1) : part;
  }
  runtime.registerText(first, 10, code, Int32Array.from(inserted));
  return code;
}

test('the expression that assert.ok quotes is the one that the user wrote', () => {
  const code = instrumented(
    '<var __cov;>f();\nassert.ok(<__cov.r(9001,><__cov.r(9002,>c<)>.map<)>.size <= 2);\n',
    9000,
  );
  const quote = code.split('\n')[1]?.replace(/;$/, '');
  assert.equal(
    plainMessage(`The expression evaluated to a falsy value:\n\n  ${quote}\n`),
    'The expression evaluated to a falsy value:\n\n  assert.ok(c.map.size <= 2)\n',
  );
});

test('hooks that the engine abbreviates are an intermediate value', () =>
  assert.equal(plainMessage('__cov.c(...).f is not a function'), '(intermediate value).f is not a function'));

test('other messages stay as they are', () => {
  for (const message of ['', 'x is not a function', '__cov.r(1,c) of nobody'])
    assert.equal(plainMessage(message), message);
});
