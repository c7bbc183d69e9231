/** A bug of threads is seen again, and its cut point looked at. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../data/report.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'unweave-threads-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const unweave = (...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'dist/cli/bin.js'), ...args, '--store', join(dir, 'trace.db')], {
    cwd: ROOT,
    encoding: 'utf8',
  });

it('replay and inspect know bugs of threads', () => {
  const json = join(dir, 'report.json');
  const ran = unweave('run', '--confirm', '1', '--json', json, 'harnesses/threads/account.ts');
  assert.equal(ran.status, 1, ran.stderr);
  const [bug] = (JSON.parse(readFileSync(json, 'utf8')) as Report).bugs;
  const again = unweave('replay', bug!.id, '--times', '2', '--trace');
  assert.equal(again.status, 1, again.stderr);
  assert.match(again.stdout, /2 of 2 runs failed in this order/);
  assert.match(again.stdout, /lost update/);
  // Event by event: both threads look before either has written.
  const { file, line } = bug!.first!;
  assert.match(
    again.stdout,
    new RegExp(`\\d +1[ ·]+ +reads ${bug!.entity!.replaceAll('.', '\\.')} +${file}:${line}\n`),
  );
  assert.match(again.stdout, /^task 1: .*\ntask 2: /m);
  assert.match(again.stdout, /\d+ events of \d+ tasks\n/);
  const list = unweave('inspect', bug!.entity!);
  assert.equal(list.status, 0, list.stderr);
  assert.match(list.stdout, /RWW/);
  const [cutPoint] = /\bc[0-9a-f]{8}\b/.exec(list.stdout)!;
  const detail = unweave('inspect', cutPoint);
  assert.match(detail.stdout, new RegExp(bug!.entity!.replaceAll('.', '\\.')));
  assert.match(detail.stdout, /holds|locks?/i);
});
