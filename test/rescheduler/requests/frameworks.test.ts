/**
 * The request that a test sends once is sent twice: a count that is read and written is lost, in all frameworks that listen or
 * are called without a connection.
 */
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DEFAULT_LIMITS } from '../../../data/run.ts';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { WHOLE } from '../../extent.ts';
import { project } from '../subjects/projects.ts';

const COUNTER = `
import { mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
export function counter() {
  const file = join(mkdtempSync(join(tmpdir(), 'count-')), 'n');
  let last = Promise.resolve();
  const add = async () => {
    const n = Number(await readFile(file, 'utf8').catch(() => 0));
    await writeFile(file, String(n + 1));
    return { n: n + 1, at: Date.now() };
  };
  return () => (process.env.COUNTER === 'repaired' ? (last = last.then(add)) : add());
}`;

const SUPERTEST = `
import request from 'supertest';
const ask = (server) => request(server).post('/count').send({ by: 1 }).then(({ body }) => body);`;
const FETCH = `
const ask = async (server) => {
  await new Promise((resolve) => server.listening ? resolve() : server.listen(0, resolve));
  const answer = await fetch('http://localhost:' + server.address().port + '/count', { method: 'POST', body: '{"by":1}' });
  server.close();
  return answer.json();
};`;

/** How a server is made of \`add\`, and asked. */
const FRAMEWORKS: Record<string, string> = {
  express: `import express from 'express'; ${SUPERTEST}
    const serverOf = (add) => express().use(express.json()).post('/count', async (_, answer) => answer.json(await add()));`,
  'express 4': `import express from 'express4'; ${SUPERTEST}
    const serverOf = (add) => express().use(express.json()).post('/count', (_, answer) => { add().then((n) => answer.json(n)); });`,
  'fastify, injected': `import fastify from 'fastify';
    const serverOf = (add) => fastify().post('/count', add);
    const ask = (app) => app.inject({ method: 'POST', url: '/count', payload: { by: 1 } }).then((answer) => answer.json());`,
  'fastify, listening': `import fastify from 'fastify';
    const serverOf = (add) => fastify().post('/count', add);
    const ask = async (app) => {
      const url = await app.listen({ port: 0 });
      const answer = await fetch(url + '/count', { method: 'POST' });
      await app.close();
      return answer.json();
    };`,
  koa: `import Koa from 'koa'; ${SUPERTEST}
    const serverOf = (add) => new Koa().use(async (context) => { context.body = await add(); }).callback();`,
  hono: `import { serve } from '@hono/node-server'; import { Hono } from 'hono'; ${FETCH}
    const serverOf = (add) => {
      const app = new Hono().post('/count', async (c) => c.json(await add()));
      return serve({ fetch: app.fetch, port: 0 });
    };`,
  'node:http': `import { createServer } from 'node:http'; ${FETCH}
    const serverOf = (add) => createServer(async (request, answer) => {
      for await (const _ of request);
      answer.end(JSON.stringify(await add()));
    });`,
};

/** One that listens, and one that is called without a connection. */
const PART: ReadonlySet<string> = new Set(['express', 'fastify, injected']);

describe('a count is lost when a request is sent twice:', { concurrency: false }, () => {
  const cwd = project({ 'counter.mjs': COUNTER });
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(cwd, 'node_modules'));

  for (const [framework, text] of Object.entries(FRAMEWORKS).filter(([name]) => WHOLE || PART.has(name)))
    test(framework, async () => {
      const file = `${framework.replace(/\W+/g, '-')}.test.mjs`;
      writeFileSync(
        join(cwd, file),
        `import assert from 'node:assert/strict'; import { test } from 'node:test'; import { counter } from './counter.mjs';
        ${text}
        test('counts', async () => { assert.equal((await ask(serverOf(counter()))).n, 1); });`,
      );
      for (const [state, wanted] of [
        ['broken', 'fail'],
        ['repaired', 'pass'],
      ] as const) {
        process.env['COUNTER'] = state;
        const subjects = await recordCommand(['node', '--test', file], { cwd, overlaps: 'requests' });
        assert.deepEqual(
          subjects.map(({ name }) => name.replace(/ \{.*?\}/g, '')),
          ['counts: POST /count ∥ POST /count'],
        );
        const [subject] = subjects;
        const options = { limits: DEFAULT_LIMITS };
        const { result } = await subject!.record(options);
        const fresh = await subject!.executeFresh({ kind: 'observed' }, options);
        subject!.observeSerially!();
        const plain = await subject!.executePlain(null, options);
        await subject!.close();
        assert.equal(plain.outcome, 'pass', `one behind the other on plain Node: ${plain.failure?.message}`);
        assert.equal(result.outcome, wanted, result.failure?.message);
        assert.equal(fresh.outcome, wanted, fresh.failure?.message);
      }
    });
});
