import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flipOf } from '../../predictor/flip.ts';
import { TraceBuilder } from './trace-builder.ts';

/** A turn of its own, with what a task has asked for. */
const answered = (b: TraceBuilder, task: string): number => b.deliver(b.issue('pool', task));

/** One task stores a value, a helper that belongs to nobody writes it down, the other task looks it up. */
function run(order: readonly ('store' | 'look')[], entity = 'Cache#page') {
  const b = new TraceBuilder();
  const helper = b.activation('set', 'async');
  const other = b.activation('look', 'async');
  // Places are numbered as they are met: the same in every run.
  b.begin(0);
  for (const place of ['limit', 'store', 'look']) b.read('nothing', place);
  for (const what of order) {
    b.begin(what === 'store' ? helper : other, answered(b, what));
    b.read('Cache#limit', 'limit');
    if (what === 'store') b.write(entity, 'store');
    else b.read(entity, 'look');
  }
  return b.build();
}

test('a read that came before the write which it naturally follows', () => {
  const flip = flipOf(run(['look', 'store']), run(['store', 'look']));
  assert.equal(flip?.entity, 'Cache#page');
  assert.deepEqual([flip.first.task, flip.first.access], ['look', 'read']);
  assert.deepEqual([flip.second.task, flip.second.access], ['set', 'write']);
});

test('two reads in the other order are nothing, and neither is what the passing run never did', () => {
  assert.equal(flipOf(run(['look', 'store']), run(['look', 'store'])), null);
  assert.equal(flipOf(run(['look', 'store']), run(['look'])), null);
});

test('what was touched in the line that threw comes first', () => {
  const both = (order: readonly ('store' | 'look')[]) => {
    const b = new TraceBuilder();
    const tasks = { store: b.activation('set', 'async'), look: b.activation('look', 'async') };
    b.begin(0);
    for (const place of ['list store', 'list look', 'open store', 'open look']) b.read('nothing', place);
    for (const what of order) {
      b.begin(tasks[what], answered(b, what));
      if (what === 'store') b.write('Base#open', 'open store');
      else b.read('Base#open', 'open look');
      if (what === 'store') b.read('List#head', 'list store');
      else b.write('List#head', 'list look');
    }
    return b.build();
  };
  const [failing, passing] = [both(['store', 'look']), both(['look', 'store'])];
  assert.equal(flipOf(failing, passing)?.entity, 'List#head');
  assert.equal(flipOf(failing, passing, 'Error: x\n    at query (/home/a.ts:4:7)')?.entity, 'Base#open');
});

test('what the line that threw looks at comes first, but for what the test keeps itself', () => {
  const both = (order: readonly ('store' | 'look')[], file: string) => {
    const b = new TraceBuilder();
    const tasks = { store: b.activation('set', 'async'), look: b.activation('look', 'async') };
    b.begin(0);
    b.file = file;
    for (const place of ['list store', 'list look', 'page store', 'page look']) b.read('nothing', place);
    for (const what of order) {
      b.begin(tasks[what], answered(b, what));
      b.write('Page#text', `page ${what}`);
      if (what === 'store') b.read('List#head', 'list store');
      else b.write('List#head', 'list look');
    }
    b.begin(0);
    b.file = 'test.ts';
    b.read('Page#text', 'assert');
    return b.build();
  };
  const lead = (file: string) =>
    flipOf(both(['store', 'look'], file), both(['look', 'store'], file), 'Error: x\n    at /home/test.ts:5:7')
      ?.entity;
  assert.equal(lead('page.ts'), 'Page#text');
  assert.equal(lead('test.ts'), 'List#head');
});

test('what the failure depends on comes first', () => {
  const both = (order: readonly number[]) => {
    const b = new TraceBuilder();
    const tasks = [b.activation('type', 'async'), b.activation('type#2', 'async')];
    b.begin(0);
    for (const place of ['look', 'keep', 'show']) b.read('nothing', place);
    const answers = tasks.map((_, task) => b.issue('pool', `root|${task}`));
    for (const task of order) {
      b.effect(answers[task]!);
      b.begin(tasks[task]!, b.deliver(answers[task]!));
      b.read('Search#running', 'look');
      b.write('Search#running', 'keep');
      b.write('Search#hits', 'show');
    }
    return b.build();
  };
  const [failing, passing] = [both([1, 0]), both([0, 1])];
  assert.equal(flipOf(failing, passing)?.entity, 'Search#running');
  const near = (entity: string): number => (entity === 'Search#hits' ? 4 : 0);
  assert.equal(flipOf(failing, passing, '', near)?.entity, 'Search#hits');
});

/** One handler shows what came; each task asks the host first. */
function shown(order: readonly ('old' | 'new')[]) {
  const b = new TraceBuilder();
  b.begin(0);
  for (const place of ['show', 'count']) b.read('nothing', place);
  const asked = { old: b.issue('pool', 'root|old'), new: b.issue('pool', 'root|new') };
  for (const what of order) {
    b.effect(asked[what]);
    // Calls of the handler are numbered as they come.
    b.begin(b.activation(`handler#${order.indexOf(what)}`, 'async'), b.deliver(asked[what]));
    b.write('Page#text', 'show');
    b.read('Page#left', 'count');
    b.write('Page#left', 'count');
  }
  return b.build();
}

test('calls of one handler are told apart by the answers that they came with; counters tell less', () => {
  const flip = flipOf(shown(['new', 'old']), shown(['old', 'new']));
  assert.equal(flip?.entity, 'Page#text');
  assert.equal(flipOf(shown(['old', 'new']), shown(['old', 'new'])), null);
});

/** A pool is made from another one: both have a time, of one name. */
function made(from: readonly string[]) {
  const b = new TraceBuilder();
  const [first, second, copy] = [b.activation('within'), b.activation('for'), b.activation('within#2')];
  b.begin(0);
  for (const place of ['store', 'look']) b.read('nothing', place);
  for (const pool of from) {
    b.begin(first);
    b.write(pool, 'store');
    b.begin(second);
    b.read(pool, 'look');
    b.begin(copy);
    b.write(`${pool} of its copy`, 'store');
  }
  const trace = b.build();
  return { ...trace, entities: trace.entities.map((each) => ({ ...each, name: 'Pool#time' })) };
}

test('what came of one object says nothing of another one of its name', () => {
  assert.equal(flipOf(made(['a', 'b']), made(['a', 'b'])), null);
  assert.equal(flipOf(made(['a']), made(['a'])), null);
});

/** Modules that note something as they are loaded. */
function loaded(modules: readonly string[], isAnswered: boolean) {
  const b = new TraceBuilder();
  for (const name of modules) {
    b.begin(b.activation(name), isAnswered && name === modules[0] ? answered(b, 'read') : undefined);
    b.write('Known#names', 'note');
  }
  return b.build();
}

test('what runs before anything is answered has one order, however many of its kind there are', () => {
  const flip = (isAnswered: boolean) =>
    flipOf(loaded(['x', 'y', 'a', 'b'], isAnswered), loaded(['a', 'b'], isAnswered));
  assert.equal(flip(false), null);
  assert.equal(flip(true)?.entity, 'Known#names');
});
