/** Whose code runs in a thread: a call of an async function, or the body of a module. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Activations } from '../../../monitor/threads/activations.ts';
import type { Token } from '../../../monitor/threads/token.ts';

const nothing = () => {};
const token = { waits: nothing, goesOn: nothing, opened: nothing, closed: nothing } as unknown as Token;

test('behind an await the body of a module runs, whatever turn lets it go on', () => {
  const activations = new Activations(token);
  const { hooks } = activations;
  /** Where the body waits or waited last, where it runs. */
  const body = (): number | null => activations.module?.at ?? null;
  assert.equal(body(), 0);
  const call = hooks.open(1);
  assert.equal(body(), null);
  hooks.suspend(2, call, null);
  hooks.suspend(3, null, null);
  // It waits: what is asked for now, nobody of the program asks for.
  assert.equal(body(), null);
  activations.turn();
  hooks.resume(2, call, null);
  hooks.close(call);
  assert.equal(body(), null);
  hooks.resume(3, null, null);
  assert.equal(body(), 3);
  hooks.suspend(4, null, null);
  activations.turn();
  hooks.resume(4, null, null);
  assert.equal(body(), 4);
});
