/** Domains capture what callbacks throw; loading them changes a process for good. */
import domain from 'node:domain';
import { once } from 'node:events';
import fs from 'node:fs';
import { gated } from '../support.ts';

const throws = (start: (thrower: () => never) => void) =>
  start(() => {
    throw new Error('boom');
  });
const causes: Record<string, (thrower: () => never) => void> = {
  file: (thrower) => fs.stat('.', thrower),
  timer: (thrower) => setTimeout(thrower, 1),
  immediate: (thrower) => setImmediate(thrower),
};
for (const [name, cause] of Object.entries(causes)) {
  const caught = await gated(async () => {
    const own = domain.create();
    const error = once(own, 'error');
    own.run(() => throws(cause));
    return String((await error)[0]);
  });
  const escaped = await gated(() => new Promise(() => throws(cause)));
  console.log(name, caught.status === 'ok' && caught.value, escaped.status, String(escaped.error));
}
