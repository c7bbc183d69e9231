import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Flags, resolveOptions } from '../../cli/options.ts';
import { toCommand, typedCommand } from '../../cli/stages/context.ts';
import { emptyFolder } from './io.ts';

const withConfig = (config: unknown, name = 'unweave.config.json') => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, name), JSON.stringify(config));
  return cwd;
};

test('defaults', async () => {
  const options = await resolveOptions({}, null, emptyFolder());
  assert.equal(options.maxSchedules, 200);
  assert.equal(options.maxTimeMs, 60_000);
  assert.equal(options.maxStallMs, 1000);
  assert.equal(options.confirm, 3);
  assert.equal(options.strategy, 'directed');
  assert.equal(options.store, '.unweave/trace.db');
  assert.ok(options.jobs >= 1);
  assert.equal(options.quiet, false);
});

test('the command line wins over the configuration; lists add up', async () => {
  const cwd = withConfig({ maxSchedules: 7, seed: 3, instrument: ['a'], jobs: 2, ignore: ['b1'] });
  const options = await resolveOptions({ maxSchedules: 9, instrument: ['b'], maxTime: 1.5 }, null, cwd);
  assert.equal(options.maxSchedules, 9);
  assert.equal(options.seed, 3);
  assert.equal(options.jobs, 2);
  assert.equal(options.maxTimeMs, 1500);
  assert.deepEqual(options.instrument, ['a', 'b']);
  assert.deepEqual(options.ignore, ['b1']);
});

test('a budget of zero is kept, not taken for absent', async () => {
  const cwd = withConfig({ maxSchedules: 7, seed: 3, maxStallMs: 5 });
  const options = await resolveOptions({ maxSchedules: 0, seed: 0, maxStall: 0 }, null, cwd);
  assert.deepEqual([options.maxSchedules, options.seed, options.maxStallMs], [0, 0, 0]);
});

test('what was said of the program and the store is kept in words, for a command that searches on', async () => {
  const flags: Flags = { instrument: ['keyv', 'a b'], store: 'x.db', maxTime: 5, seed: 0, json: 'a.json' };
  const { said } = await resolveOptions(flags, null, withConfig({ exclude: ['c'] }));
  assert.deepEqual(said, ['--store', 'x.db', '--instrument', 'keyv', '--instrument', 'a b', '--seed', '0']);
  const command = typedCommand(['node', '--test'], ['--deep', ...said]);
  const words = "--deep --store x.db --instrument keyv --instrument 'a b' --seed 0";
  assert.equal(command, `unweave run ${words} -- node --test`);
  assert.equal(
    typedCommand(toCommand({ kind: 'harness', paths: ['h'] }), said.slice(0, 2)),
    'unweave run --store x.db h',
  );
});

test('--json - makes everything else quiet', async () => {
  assert.equal((await resolveOptions({ json: '-' }, null, emptyFolder())).quiet, true);
  assert.equal((await resolveOptions({ json: 'a.json' }, null, emptyFolder())).quiet, false);
});

test('a wrong configuration is one clear line', async () => {
  const config = withConfig({ maxSchedule: 7 });
  await assert.rejects(() => resolveOptions({}, null, config), {
    name: 'ConfigError',
    message: /unknown key "maxSchedule" \(did you mean "maxSchedules"\?\)$/,
  });
  await assert.rejects(() => resolveOptions({ config: 'no.json' }, null, config), {
    message: /no\.json: no such file/,
  });
});

test('another configuration by name', async () => {
  const cwd = withConfig({ seed: 5 }, 'ci.json');
  assert.equal((await resolveOptions({ config: 'ci.json' }, null, cwd)).seed, 5);
});

test('--budget is the time for everything', async () => {
  assert.equal((await resolveOptions({ budget: 300 }, null, emptyFolder())).totalTimeMs, 300_000);
});

test('a budget that is given is used up, and the usual one only bounds a search', async () => {
  const budget = async (flags: Flags, config = {}) => {
    const { isDeep, maxSchedules, maxTimeMs } = await resolveOptions(flags, null, withConfig(config));
    return [isDeep, maxSchedules, maxTimeMs];
  };
  assert.deepEqual(await budget({}), [false, 200, 60_000]);
  assert.deepEqual(await budget({ deep: true }), [true, 5000, 300_000]);
  assert.deepEqual(await budget({}, { deep: true }), [true, 5000, 300_000]);
  assert.deepEqual(await budget({ maxSchedules: 10 }, { deep: true }), [true, 10, 300_000]);
  assert.deepEqual(await budget({}, { maxSchedules: 2000 }), [true, 2000, 60_000]);
  assert.deepEqual(await budget({ maxTime: 10 }), [true, 200, 10_000]);
  // As long as usual, or longer: no number that nobody gave ends it.
  assert.deepEqual(await budget({ maxTime: 600 }), [true, 100_000, 600_000]);
});
