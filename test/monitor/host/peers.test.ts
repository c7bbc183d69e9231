import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed } from '../../../monitor/host/net/peers.ts';

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
