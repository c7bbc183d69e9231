/** Programs in TypeScript that hooks in the way of `require` compile, and that start workers: Node loads them as it does without us. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

/** As ts-node: it looks at what is in the file before it compiles it, and leaves out extensions. */
const HOOK = `
const { readFileSync } = require('node:fs');
const { Module, stripTypeScriptTypes } = require('node:module');
const native = Module._extensions['.js'];
process[Symbol.for('ts-node.register.instance')] = { transpileOnly: false, enabled: () => true, ignored: () => false };
Module._extensions['.ts'] = (module, file) => {
  const { _compile } = module;
  module._compile = function (code, name) {
    if (code !== readFileSync(name, 'utf8')) throw new TypeError('what is this in ' + name);
    const text = stripTypeScriptTypes(code)
      .replace(/^import (.*) from (.*);/gm, (_, names, from) => 'const ' + names + ' = require(' + from + ');')
      .replace(/^export function (\\w+)/gm, 'exports.$1 = $1; function $1');
    return _compile.call(this, text, name);
  };
  native(module, file);
};
`;
const FILES = {
  'package.json': '{ "type": "commonjs" }',
  'hook.cjs': HOOK,
  'count.ts': 'export function bump(cells: Int32Array): void { const n = cells[0]!; cells[0] = n + 1; }\n',
  'worker.ts': `import { workerData } from 'node:worker_threads';
import { bump } from './count';
bump(new Int32Array(workerData as SharedArrayBuffer));
`,
  'main.ts': `import assert from 'node:assert';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { bump } from './count';
const memory: SharedArrayBuffer = new SharedArrayBuffer(4);
const cells = new Int32Array(memory);
bump(cells);
const started = () => once(new Worker(__dirname + '/worker.ts', { workerData: memory }), 'exit');
Promise.all([started(), started()]).then(() => assert.equal(cells[0], 3));
`,
};

test('are judged, and what races in them is found', async (t) => {
  const cwd = project(t, FILES);
  const command = [process.execPath, '-r', './hook.cjs', 'main.ts'];
  const { code, out, err } = await run(cwd, [
    'run',
    '--confirm',
    '1',
    '--json',
    'out.json',
    '--',
    ...command,
  ]);
  assert.equal(code, 1, out + err);
  const [bug] = readReport(cwd).bugs;
  assert.deepEqual([bug?.entity, bug?.first?.file], ['cells', 'count.ts'], out);
});
