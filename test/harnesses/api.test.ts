import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HARNESSES, type Harness, harness, registrations } from '../../harnesses/api.ts';

const holder = globalThis as { [HARNESSES]?: Harness[] };
const valid = { name: 'one', setup: () => ({}), tasks: { a: async () => {} }, check: () => {} };

describe('harness()', () => {
  beforeEach(() => {
    delete holder[HARNESSES];
  });
  afterEach(() => {
    delete holder[HARNESSES];
  });

  it('registers in order and returns what it registered', () => {
    const one = harness(valid);
    const two = harness({ ...valid, name: 'two' });
    assert.deepEqual(registrations(), [one, two]);
    assert.equal((globalThis as any)[Symbol.for('unweave.harnesses')], registrations());
  });

  it('registers into the array that a loader has put there', () => {
    const own: Harness[] = [];
    holder[HARNESSES] = own;
    harness(valid);
    assert.equal(own.length, 1);
  });

  it('keeps its own copy of the tasks', () => {
    const tasks: Record<string, () => Promise<void>> = { a: async () => {} };
    const one = harness({ ...valid, tasks });
    tasks['b'] = async () => {};
    assert.deepEqual(Object.keys(one.tasks), ['a']);
    assert.throws(() => {
      (one as any).name = 'other';
    }, TypeError);
  });

  const wrong: [string, unknown, RegExp][] = [
    ['nothing', undefined, /^harness: expected \{ name, setup, tasks, check \}$/],
    ['no name', { ...valid, name: undefined }, /^harness: `name` must be a non-empty string$/],
    ['an empty name', { ...valid, name: '' }, /^harness: `name` must be a non-empty string$/],
    ['no setup', { ...valid, setup: undefined }, /^harness 'one': `setup` must be a function/],
    ['no tasks', { ...valid, tasks: undefined }, /^harness 'one': no tasks;/],
    ['empty tasks', { ...valid, tasks: {} }, /^harness 'one': no tasks;/],
    [
      'a task that is no function',
      { ...valid, tasks: { a: 1 } },
      /^harness 'one': task 'a' is not a function$/,
    ],
    ['no check', { ...valid, check: undefined }, /^harness 'one': `check` must be a function/],
    [
      'half an expectation',
      { ...valid, expect: { pattern: 'RWW' } },
      /^harness 'one': `expect` must say `bug/,
    ],
  ];
  for (const [what, spec, message] of wrong)
    it(`refuses ${what} in one line and registers nothing`, () => {
      assert.throws(
        () => harness(spec as any),
        (error: Error) => {
          assert.ok(error instanceof TypeError);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /\n/);
          return true;
        },
      );
      assert.deepEqual(registrations(), []);
    });

  it('refuses a name that is used twice', () => {
    harness(valid);
    assert.throws(() => harness(valid), { message: "harness 'one': the name is used twice in one file" });
    assert.equal(registrations().length, 1);
  });
});
