/**
 * Two shops whose tests send one request after the other: their ten races are found with nothing declared, and nothing is found
 * where each is held together by a lock.
 */
import assert from 'node:assert/strict';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { WHOLE } from '../../extent.ts';
import { project, readReport, run } from '../batch/command.ts';

const SHOPS = join(import.meta.dirname, 'shops');

/** By test: the requests of which two at a time are too many. */
const RACES: Record<string, RegExp> = {
  'a name can be taken once': /POST \/users/,
  'money is there to be spent': /POST \/wallet\/withdraw/,
  'money can be sent': /POST \/wallet\/transfer/,
  'a coupon is good for once': /POST \/coupons\/WELCOME\/redeem/,
  'what is sold out cannot be ordered': /POST \/products\/lamp\/order/,
  'likes are counted': /POST \/products\/lamp\/like/,
  'a cart keeps what is put into it': /POST \/cart/,
  'a profile is changed in parts': /PATCH \/profile/,
  'an invitation can be accepted once': /POST \/invites\/…\/accept/,
  'a team has two seats': /POST \/teams\/red\/members/,
};

async function overlapped(t: { after(fn: () => void): void }, shop: string, state: string, only: string) {
  const cwd = project(t);
  cpSync(SHOPS, cwd, { recursive: true });
  symlinkSync(join(SHOPS, '../../../../node_modules'), join(cwd, 'node_modules'));
  const command = ['node', '--test', '--test-name-pattern', only, `${shop}.test.js`];
  process.env['SHOP'] = state;
  const ended = await run(cwd, [
    'overlap',
    '--json',
    'out.json',
    '--confirm',
    '1',
    '--max-schedules',
    '10',
    '--',
    ...command,
  ]);
  return { ...ended, report: readReport(cwd) };
}

// That of fastify is another program for the same requests.
for (const shop of WHOLE ? ['express', 'fastify'] : ['express'])
  describe(`the shop of ${shop}`, () => {
    const races = WHOLE ? Object.keys(RACES) : [shop === 'express' ? 'what is sold out' : 'a coupon'];
    const only = WHOLE ? '.' : races[0]!;

    test('its races are found', async (t) => {
      const { code, out, report } = await overlapped(t, shop, 'broken', only);
      assert.equal(code, 1, out);
      for (const [name, requests] of Object.entries(RACES)) {
        if (!races.some((race) => name.startsWith(race))) continue;
        const found = report.bugs.filter((bug) => bug.test.includes(name) && requests.test(bug.test));
        assert.ok(found.length > 0, `${name}: ${out}`);
      }
      assert.match(out, /no serial order of these 2 operations gives this outcome/);
    });

    test('nothing is found where they are mended', async (t) => {
      const { code, out, report } = await overlapped(t, shop, 'repaired', only);
      assert.deepEqual(report.bugs, [], out);
      assert.equal(code, 0, out);
      assert.match(
        out,
        /each outcome of \d+ (?:more )?scenarios is that of a serial order, in the \d+ orders executed/,
      );
    });
  });
