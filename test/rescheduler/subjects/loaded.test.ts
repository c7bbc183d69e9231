import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadedBy } from '../../../rescheduler/subjects/loaded.ts';

const process = (name: string, within: string | null, project: readonly string[] | null) => ({
  name,
  within,
  end: project && { seen: { matched: [], packages: [], unseen: [], project } },
});

test('a test has loaded what its process has, and all that this has started', () => {
  const loaded = loadedBy(
    [
      process('npm', null, []),
      process('a', 'npm', ['/p/a.test.js', '/p/src/a.js']),
      process('child', 'a', ['/p/src/child.js', '/p/src/a.js']),
      process('b', 'npm', ['/p/b.test.js']),
    ],
    '/p',
  );
  assert.deepEqual(loaded('a', '/p/a.test.js'), ['a.test.js', 'src/a.js', 'src/child.js']);
  assert.deepEqual(loaded('b', '/p/b.test.js'), ['b.test.js']);
});

test('where that is not known for sure, nothing is said', () => {
  const loaded = loadedBy(
    [process('a', null, ['/p/a.test.js']), process('killed', 'a', null), process('b', null, ['/p/x.js'])],
    '/p',
  );
  assert.equal(loaded('a', '/p/a.test.js'), null);
  assert.equal(loaded('b', '/p/b.test.js'), null);
  assert.equal(loaded('none', '/p/a.test.js'), null);
  assert.equal(loaded(null, '/p/a.test.js'), null);
});
