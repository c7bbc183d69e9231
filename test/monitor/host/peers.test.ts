import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { isAllowed, Peers, whoListens } from '../../../monitor/host/net/peers.ts';

test('which peers a name of the user allows', () => {
  const rows: [peer: string, named: string, allowed: boolean][] = [
    ['127.0.0.1:5432', '127.0.0.1:5432', true],
    ['127.0.0.1:5432', 'localhost:5432', true],
    ['::1:5432', 'localhost:5432', true],
    ['127.0.0.1:5432', 'localhost:5433', false],
    ['127.0.0.1:40123', 'localhost', true],
    ['10.0.0.7:5432', 'localhost', false],
    ['10.0.0.7:5432', 'localhost:5432', false],
    ['10.0.0.7:5432', '10.0.0.7', true],
    ['/run/db.sock', '/run/db.sock', true],
    ['/run/db.sock', 'localhost', false],
  ];
  for (const [peer, named, allowed] of rows)
    assert.equal(isAllowed(peer, new Set([named])), allowed, `${peer} by ${named}`);
});

test('whose server it is', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  const code =
    "const s = require('net').createServer().listen(0, '127.0.0.1', () => process.send(s.address().port))";
  const child = fork('-e', [code], { execArgv: [] });
  t.after(() => child.kill());
  const [port] = await once(child, 'message');
  assert.equal(whoListens('127.0.0.1', (server.address() as { port: number }).port), 'the program');
  assert.equal(whoListens('127.0.0.1', port), 'the program');
  assert.equal(whoListens('192.0.2.1', 80), 'another');
  assert.equal(whoListens('/no/such/pipe', undefined), 'nobody');
  assert.equal(whoListens('x'.repeat(10_000), undefined), 'nobody');
  assert.equal(whoListens('\0abstract', undefined), 'another');
  server.close();
  await once(server, 'close');
  assert.equal(whoListens('127.0.0.1', 1), 'nobody');
});

test('what hooks of a file have talked to counts for the tests of that file', () => {
  const seenOf = (isLoadedAlone: boolean) => {
    const peers = new Peers(null);
    const begin = (file: string) => {
      peers.begin({ file, isLoadedAlone });
      return peers.seen;
    };
    peers.saw('at first', false);
    const first = begin('a');
    peers.saw('in the run', true);
    const inRun = peers.seen;
    const again = begin('a');
    peers.saw('hook of b', false);
    return { first, inRun, again, b: begin('b'), more: begin('b'), c: begin('c') };
  };
  const together = seenOf(false);
  assert.deepEqual(together, {
    first: ['at first'],
    inRun: ['at first', 'in the run'],
    again: ['at first'],
    b: ['at first', 'hook of b'],
    more: ['at first', 'hook of b'],
    c: ['at first'],
  });
  const { b, more, c } = seenOf(true);
  assert.deepEqual([b, more, c], [['hook of b'], ['hook of b'], []]);
});
