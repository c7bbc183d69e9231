/** Hunting false failures: programs that can never fail in real Node, each in many random orders. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import { fileTimes } from './programs/file-times.ts';
import { files } from './programs/files.ts';
import { handover } from './programs/handover.ts';
import { outside } from './programs/outside.ts';
import { phases } from './programs/phases.ts';
import type { Case } from './programs/program.ts';
import { sockets } from './programs/sockets.ts';
import { timers } from './programs/timers.ts';
import { Directories, random } from './support.ts';

const ORDERS = 40;
/** Orders within which a program must fail once the rule that it needs is off. */
const ORDERS_WITHOUT = 400;

const programs: Record<string, Case> = {
  ...handover,
  ...phases,
  ...timers,
  ...files,
  ...fileTimes,
  ...outside,
  ...sockets,
};
const directories = new Directories();
after(() => {
  directories.remove();
  closeSockets();
});

/** Runs that were made to fail leave servers and sockets open, which would keep this process alive. */
function closeSockets(): void {
  const handles = (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();
  for (const handle of handles)
    if (handle instanceof net.Server) handle.close();
    else if (handle instanceof net.Socket && handle.remoteAddress) handle.destroy();
}

function run(program: Case, seed: number, rules = {}): Promise<string> {
  const directory = directories.fresh();
  return random(() => program.run(directory), seed, rules).then(({ status, error, waits, steps }) => {
    const right = program.endless ? 'deadlock' : 'ok';
    return status === right ? 'right' : [status, error, ...waits, ...steps].join('\n');
  });
}

describe('never fails', () => {
  for (const [name, program] of Object.entries(programs))
    it(name, async () => {
      if (!program.slow && !program.endless) await program.run(directories.fresh());
      for (let seed = 1; seed <= (program.orders ?? ORDERS); seed++)
        assert.equal(await run(program, seed), 'right', `seed ${seed}`);
    });
});

describe('each rule is needed', () => {
  for (const [name, program] of Object.entries(programs)) {
    const { needs } = program;
    if (!needs) continue;
    it(`${needs}: ${name}`, async () => {
      for (let seed = 1; seed <= ORDERS_WITHOUT; seed++)
        if ((await run(program, seed, { [needs]: false })) !== 'right') return;
      assert.fail(`still right in ${ORDERS_WITHOUT} orders without the rule`);
    });
  }
});

it('there are at least 60 programs', () => {
  assert.ok(Object.keys(programs).length >= 60, String(Object.keys(programs).length));
});
