/** Violations of two variables that have to agree. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explanations } from '../../predictor/explain.ts';
import { predict } from '../../predictor/predict.ts';
import { pairViolations } from '../../predictor/two-variables.ts';
import { TraceBuilder } from './trace-builder.ts';

type Access = 'read' | 'write';

/**
 * `mover` accesses the first variable and, behind an answer, the others; `looker` accesses all in a turn of its own: before that
 * answer, or behind it (`late`).
 */
function run(own: Access, remote: Access, late: boolean, variables = ['Bank#ann', 'Bank#bob']) {
  const b = new TraceBuilder();
  const [mover, looker] = [b.activation('mover'), b.activation('looker')];
  b.begin(mover);
  b[own](variables[0]!, 'one');
  const journal = b.issue('pool', 'journal');
  const timer = b.issue('timer', 'later', 80);
  b.effect(journal);
  const look = () => {
    b.begin(looker, b.deliver(timer));
    for (const [at, variable] of variables.entries()) b[remote](variable, `look ${at}`);
  };
  if (!late) look();
  b.begin(mover, b.deliver(journal));
  for (const [at, variable] of (variables.length > 1 ? variables.slice(1) : variables).entries())
    b[own](variable, `other ${at}`);
  if (late) look();
  return b.build();
}

for (const [own, remote, pattern] of [
  ['write', 'read', 'WRW'],
  ['read', 'write', 'RWR'],
] as const)
  test(`${pattern}: both are touched between the one and the other, which neither shows by itself`, () => {
    const [failing, passing] = [run(own, remote, false), run(own, remote, true)];
    assert.deepEqual(explanations(failing, passing), []);
    const [found, ...more] = pairViolations(failing, passing);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [found?.pattern, found?.entity, found?.other?.entity],
      [pattern, 'Bank#ann', 'Bank#bob'],
    );
    assert.deepEqual(
      [found?.first.task, found?.remote.task, found?.other?.remote.task, found?.second.task],
      ['mover', 'looker', 'looker', 'mover'],
    );
  });

test('what the passing run shows too explains nothing, nor do accesses of one kind', () => {
  const failing = run('write', 'read', false);
  assert.deepEqual(pairViolations(failing, failing), []);
  for (const kind of ['read', 'write'] as const)
    assert.deepEqual(pairViolations(run(kind, kind, false), run(kind, kind, true)), []);
});

test('one variable is no pair', () => {
  const [failing, passing] = [false, true].map((late) => run('write', 'read', late, ['Bank#ann']));
  assert.deepEqual(pairViolations(failing!, passing!), []);
});

test('the pair that the error tells of comes first, then fields of one object', () => {
  const variables = ['Bank#ann', 'Log#lines', 'Bank#bob'];
  const [failing, passing] = [run('write', 'read', false, variables), run('write', 'read', true, variables)];
  const others = (told?: (event: number) => boolean) =>
    pairViolations(failing, passing, told).map(({ other }) => other?.entity);
  assert.deepEqual(others(), ['Bank#bob', 'Log#lines']);
  const lines = failing.entities.findIndex(({ name }) => name === 'Log#lines');
  assert.deepEqual(others((event) => failing.events.object[event] === lines)[0], 'Log#lines');
});

test('that there are more pairs than are compared is known', () => {
  const many = (times: number): boolean => {
    const b = new TraceBuilder();
    const [mover, looker] = [b.activation('mover'), b.activation('looker')];
    const variables = Array.from({ length: 30 }, (_, at) => `Bank#account${at}`);
    b.begin(mover);
    const journal = b.issue('pool', 'journal');
    const timer = b.issue('timer', 'later', 80);
    for (let round = 0; round < times; round++) for (const one of variables) b.write(one, `write ${one}`);
    b.effect(journal);
    b.begin(mover, b.deliver(journal));
    for (const one of variables) b.write(one, `again ${one}`);
    b.begin(looker, b.deliver(timer));
    for (const one of variables) b.read(one, `look ${one}`);
    return predict(b.build()).stats.isPairsCut;
  };
  assert.equal(many(1), false);
  assert.equal(many(20), true);
});

test('what is only counted on need not agree with anything', () => {
  const counted = (late: boolean) => {
    const b = new TraceBuilder();
    const [mover, looker] = [b.activation('mover'), b.activation('looker')];
    b.begin(mover);
    b.read('Bank#moves', 'moves += 1');
    b.write('Bank#moves', 'moves += 1');
    const journal = b.issue('pool', 'journal');
    const timer = b.issue('timer', 'later', 80);
    b.effect(journal);
    const look = () => {
      b.begin(looker, b.deliver(timer));
      b.read('Bank#moves', 'look += 1');
      b.write('Bank#moves', 'look += 1');
      b.read('Bank#bob', 'look');
    };
    if (!late) look();
    b.begin(mover, b.deliver(journal));
    b.write('Bank#bob', 'other');
    if (late) look();
    return b.build();
  };
  assert.deepEqual(pairViolations(counted(false), counted(true)), []);
});
