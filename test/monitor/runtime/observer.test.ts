/** What a recorder hears about the life of activations. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { runtime } from '../../../monitor/runtime/index.ts';
import { prepare } from '../instrument/helpers.ts';

async function heard(body: string): Promise<string[]> {
  const lines: string[] = [];
  const { code } = prepare(`(async function main() {${body}\n})`, { file: 'o.js' });
  runtime.beginRun();
  const main = runInThisContext(code);
  runtime.observer = {
    begin: (frame) => void lines.push(`begin ${frame.name}`),
    end: (frame) => void lines.push(`end ${frame.name}`),
    suspend: (frame, value) => void lines.push(`suspend ${frame.name} ${typeof value}`),
    resume: (frame) => void lines.push(`resume ${frame.name}`),
    combined: (kind, result, members) =>
      void lines.push(`${kind} ${result instanceof Promise} ${members.length}`),
  };
  try {
    await main();
  } finally {
    runtime.observer = null;
  }
  return lines;
}

suite('observer', () => {
  test('every suspension has its resumption', async () => {
    assert.deepEqual(await heard('await 1; const f = async () => {}; await f()'), [
      'begin main',
      'suspend main number',
      'resume main',
      'begin f',
      'end f',
      'suspend main object',
      'resume main',
      'end main',
    ]);
  });

  test('also when the await throws', async () => {
    assert.deepEqual(await heard('try { await Promise.reject(1) } catch {}'), [
      'begin main',
      'suspend main object',
      'resume main',
      'end main',
    ]);
  });

  test('combinators tell their members, nested ones first', async () => {
    const lines = await heard(
      'await Promise.all([1, Promise.race([2, 3, 4])]); await Promise.allSettled(new Set([1]))',
    );
    assert.deepEqual(
      lines.filter((line) => /^(all|race)/.test(line)),
      ['race true 3', 'all true 2', 'allSettled true 1'],
    );
  });

  test('a rejected await that nobody catches ends the activation', async () => {
    const lines = await heard('const f = async () => { await Promise.reject(1) }; await f().catch(() => {})');
    const ofF = lines.filter((line) => / f\b/.test(line));
    assert.deepEqual(ofF, ['begin f', 'suspend f object', 'resume f', 'end f']);
  });
});
