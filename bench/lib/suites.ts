/** Test suites as people have them, written into a folder: what the whole default analysis is measured on. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HTTP_HEAD = `import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';

const items = new Map();
const answer = async (request, response) => {
  const [, kind, id] = request.url.split('/');
  if (kind !== 'items') return response.writeHead(404).end();
  if (request.method === 'PUT') {
    let body = '';
    for await (const chunk of request) body += chunk;
    items.set(id, JSON.parse(body));
    return response.writeHead(201).end();
  }
  const item = items.get(id);
  response.writeHead(item ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(item ?? {}));
};

async function send(server, method, path, body) {
  const { port } = server.address();
  const request = http.request({ port, host: '127.0.0.1', method, path, agent: false });
  request.end(body && JSON.stringify(body));
  const [response] = await once(request, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, body: text && JSON.parse(text) };
}

async function served(use) {
  const server = http.createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await use(server);
  server.close();
  await once(server, 'close');
}
`;

/** One request, and all that comes is waited for: next to nothing to reorder. */
const getTest = (i: number): string => `
test('get ${i}', async () => {
  const server = http.createServer((request, response) => response.end(request.url)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const [response] = await once(http.get({ port, host: '127.0.0.1', path: '/${i}', agent: false }), 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  assert.equal(text, '/${i}');
  server.close();
  await once(server, 'close');
});
`;

/** One request after the other. */
const httpTest = (i: number): string => `
test('item ${i} is kept', () =>
  served(async (server) => {
    const put = await send(server, 'PUT', '/items/${i}', { name: 'item ${i}' });
    assert.equal(put.status, 201);
    const got = await send(server, 'GET', '/items/${i}');
    assert.deepEqual(got.body, { name: 'item ${i}' });
  }));
`;

const MIXED_HEAD = `${HTTP_HEAD}import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
`;

/** Of six kinds in turn; the first three wait for one thing at a time. */
const MIXED: readonly ((i: number) => string)[] = [
  (i) => `
test('plain ${i}', () => assert.equal([1, 2, ${i}].length, 3));
`,
  (i) => `
test('a file is read as it was written ${i}', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'suite-'));
  await writeFile(join(folder, 'a'), 'text ${i}');
  assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'text ${i}');
  await rm(folder, { recursive: true });
});
`,
  httpTest,
  (i) => `
test('timers side by side ${i}', async () => {
  const seen = [];
  const after = async (ms) => {
    await sleep(ms);
    seen.push(ms);
  };
  await Promise.all([after(1), after(5), after(${10 + i})]);
  assert.equal(seen.length, 3);
});
`,
  (i) => `
test('files side by side ${i}', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'suite-'));
  const names = ['a', 'b', 'c'];
  await Promise.all(names.map((name) => writeFile(join(folder, name), name)));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  assert.deepEqual(sizes, [1, 1, 1]);
  await rm(folder, { recursive: true });
});
`,
  (i) => `
test('requests side by side ${i}', () =>
  served(async (server) => {
    const ids = ['x${i}', 'y${i}'];
    await Promise.all(ids.map((id) => send(server, 'PUT', '/items/' + id, { id })));
    const all = await Promise.all(ids.map((id) => send(server, 'GET', '/items/' + id)));
    assert.deepEqual(all.map(({ body }) => body.id), ids);
  }));
`,
];

export type SuiteName = 'http' | 'mixed';

/** So many tests of a suite, in files of twenty. */
export function writeSuite(folder: string, name: SuiteName, tests: number): void {
  mkdirSync(join(folder, 'test'), { recursive: true });
  const test = (i: number): string => (name === 'http' ? getTest(i) : MIXED[i % MIXED.length]!(i));
  for (let first = 0; first < tests; first += 20) {
    const count = Math.min(20, tests - first);
    const parts = Array.from({ length: count }, (_, i) => test(first + i));
    const head = name === 'http' ? HTTP_HEAD : MIXED_HEAD;
    writeFileSync(join(folder, 'test', `${name}-${first / 20}.test.mjs`), head + parts.join(''));
  }
}
