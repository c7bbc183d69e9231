/** docs/report.schema.json is the schema of the JSON report for other tools; UPDATE_SCHEMA=1 writes it anew. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { reportJsonSchema } from '../../data/report.ts';

const FILE = new URL('../../docs/report.schema.json', import.meta.url);

test('the published schema is the one that reports are checked with', () => {
  const text = `${JSON.stringify(reportJsonSchema(), null, 2)}\n`;
  if (process.env['UPDATE_SCHEMA']) writeFileSync(FILE, text);
  assert.deepEqual(JSON.parse(readFileSync(FILE, 'utf8')), JSON.parse(text));
});

test('it closes every object: a key that is not in it is not in a report', () => {
  const open: string[] = [];
  const look = (at: string, node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, additionalProperties } = node as Record<string, unknown>;
    if (type === 'object' && additionalProperties !== false) open.push(at);
    for (const [key, value] of Object.entries(node)) look(`${at}.${key}`, value);
  };
  look('report', reportJsonSchema());
  assert.deepEqual(open, []);
});
