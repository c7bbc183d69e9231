import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suspectPackages } from '../../../cli/project/suspects.ts';
import { project } from '../../rescheduler/subjects/projects.ts';

const manifest = (dependencies: Record<string, string>, devDependencies = {}): string =>
  JSON.stringify({ dependencies, devDependencies });

test('what the project itself depends on comes first, and what that depends on last', () => {
  const folder = project({
    'package.json': manifest({ cache: '1', other: '1' }, { files: '1' }),
    'node_modules/cache/package.json': manifest({ 'cache-memory': '1', 'cache-utils': '1' }),
    'node_modules/files/package.json': manifest({ wrapper: '1' }),
    'node_modules/other/package.json': manifest({ another: '1' }),
  });
  assert.deepEqual(suspectPackages(folder, ['cache-utils']), [
    ['cache'],
    ['cache-utils'],
    ['cache', 'cache-memory', 'cache-utils'],
  ]);
  assert.deepEqual(suspectPackages(folder, ['files', 'wrapper']), [['files'], ['files', 'wrapper']]);
  assert.deepEqual(suspectPackages(folder, ['unknown']), [['unknown']]);
  assert.deepEqual(suspectPackages(folder, []), []);
});

test('where no package.json can be read there is only what was called', () => {
  assert.deepEqual(suspectPackages(project({ 'package.json': '{' }), ['a']), [['a']]);
});
