import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostRequests } from '../../../monitor/host/controller.ts';
import { nameOf } from '../../../monitor/host/naming.ts';
import type { Frame } from '../../../monitor/runtime/types.ts';

const frameOf = (path: string): Frame => ({ path, ordinals: new Map() }) as unknown as Frame;

test('names are told apart, whoever asks: the root, a package in its ticks, an activation, a turn', () => {
  const root = {};
  let frame: Frame | null = null;
  const name = (as: Frame | null, turn: { readonly name: string } | null = null): string => {
    frame = as;
    const controller = { frames: { cur: () => frame }, root, turn };
    return nameOf(controller as unknown as HostRequests, 'setTimeout');
  };
  const [body, task] = [frameOf('root'), frameOf('root.task#0')];
  const turn = { name: 'root|fs.stat#1' };
  assert.deepEqual(
    [name(body), name(null), name(body), name(task), name(task), name(null, turn), name(body, turn)],
    [
      'root|setTimeout#1',
      'root|setTimeout#2',
      'root|setTimeout#3',
      'root.task#0|setTimeout#1',
      'root.task#0|setTimeout#2',
      'root|fs.stat#1>setTimeout#1',
      'root|setTimeout#4',
    ],
  );
});
