/** Which `a[i]` of programs of threads may be accesses of shared memory. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { instrument } from '../../../monitor/instrument/instrument.ts';
import { THREAD_RULES } from '../../../monitor/instrument/threads/index.ts';

function accesses(source: string): string[] {
  const kind = source.includes('import') ? 'module' : 'commonjs';
  const { sites } = instrument(source, { file: 'a.js', kind, typescript: false, firstSite: 0 }, THREAD_RULES);
  return sites.flatMap(({ access, text }) => (access ? [`${access} ${text}`] : []));
}

it('what a worker was given, whatever way it is named', () => {
  for (const head of [
    "import { workerData } from 'node:worker_threads';",
    "const { workerData } = require('worker_threads');",
    "const { workerData } = require('node:worker_threads');",
    "const workerData = require('node:worker_threads').workerData;",
  ])
    assert.equal(accesses(`${head} workerData[0] = workerData[1];`).length, 2, head);
  assert.equal(accesses("import { workerData as given } from 'worker_threads'; given[0]++;").length, 1);
  assert.equal(accesses("import * as threads from 'worker_threads'; threads.workerData[0]++;").length, 1);
});

it('not what other modules of Node export', () => {
  assert.deepEqual(accesses("import { constants } from 'node:os'; constants[name];"), []);
});

it('not those of arrays that are made of no shared memory: they are marked where they are made', () => {
  const options = { file: 'a.js', kind: 'commonjs', typescript: false, firstSite: 0 } as const;
  const codeOf = (source: string): string => instrument(source, options, THREAD_RULES).code;
  assert.match(codeOf('f(new Float64Array(8), x)'), /__cov\.own\(new Float64Array\(8\)\), x\)/);
  assert.doesNotMatch(codeOf('new Float32Arrays(8); new Map()'), /own/);
  assert.doesNotMatch(codeOf('class Int8Array {} new Int8Array(8)'), /own/);
});
