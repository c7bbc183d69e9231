/** What the documents promise, checked against the code. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { FLAGS } from '../../../cli/flags.ts';
import { configSchema } from '../../../data/config.ts';
import { parseReport } from '../../../data/report.ts';
import { VERDICTS } from '../../../data/verdicts.ts';
import { emptyFolder } from '../../cli/io.ts';
import { blocks, doc } from './commands.ts';

const ROOT = new URL('../../../', import.meta.url);

test('docs/configuration.md names every key and every option', () => {
  const text = doc('docs/configuration.md');
  const keys = Object.keys(configSchema.shape).filter((key) => key !== '$schema');
  for (const key of keys) assert.ok(text.includes(`\`${key}\``), key);
  const flags = Object.entries(FLAGS).flatMap(([group, make]) => (group === 'replay' ? [] : make()));
  for (const { long } of flags) {
    if (long === '--verbose') continue;
    assert.ok(text.includes(long!), `${long}`);
  }
});

test('the example of docs/configuration.md is a valid configuration', () => {
  const [example = ''] = blocks(doc('docs/configuration.md'), 'json');
  assert.equal(configSchema.parse(JSON.parse(example)).maxSchedules, 500);
});

test('the example of docs/json-report.md satisfies the schema, and every verdict is explained', () => {
  const text = doc('docs/json-report.md');
  const [example = ''] = blocks(text, 'jsonc');
  const bare = example.replace(/\s\/\/.*$/gm, '');
  assert.equal(parseReport(bare, 'docs/json-report.md').bugs.length, 1);
  for (const verdict of VERDICTS) assert.ok(text.includes(`| \`${verdict}\``), verdict);
});

test('the report in README.md is what the renderer prints', () => {
  const golden = readFileSync(new URL('test/report/golden/lost-update.golden.txt', ROOT), 'utf8');
  const shown = blocks(doc('README.md'), '').find((block) => block.startsWith('✗'))!;
  assert.ok(golden.startsWith(shown.trimEnd()), 'README.md shows an old report');
});

test('docs/found.md counts the cases of the hunt, and names every package in its version', () => {
  const text = doc('docs/found.md');
  const cases = globSync('harnesses/hunt/cases/*.test.mjs', { cwd: ROOT }).map(doc).join('\n');
  const { dependencies } = JSON.parse(doc('harnesses/hunt/package.json'));
  assert.match(text, new RegExp(`Of ${cases.match(/^test\(/gm)?.length} test cases`));
  assert.match(text, new RegExp(`for ${Object.keys(dependencies).length} popular packages`));
  for (const [name, version] of Object.entries(dependencies))
    assert.ok(text.includes(`${name} ${version}`), name);
});

test('every link in the documents leads somewhere', () => {
  for (const name of ['README.md', 'docs/architecture.md'])
    for (const [, target = ''] of doc(name).matchAll(/\]\(([^)#:]+)\)/g)) {
      const file = new URL(target, new URL(name, ROOT));
      assert.doesNotThrow(() =>
        readFileSync(file.href.endsWith('harnesses') ? new URL('harnesses/api.ts', ROOT) : file),
      );
    }
});

const PRELUDE = `
import assert from 'node:assert/strict';
import { exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
setTimeout(() => process.exit(), 1500).unref();
`;

/** For the examples about sockets. */
const SOCKET = `
import net from 'node:net';
const server = net.createServer((peer) => peer.end('chunk')).listen(0, '127.0.0.1').unref();
await once(server, 'listening');
const socket = net.connect(server.address().port, '127.0.0.1');
let text = '';
const received = [];
socket.on('data', (chunk) => received.push(chunk));
`;

/** For those about both ends of a connection. */
const ENDS = `
import net from 'node:net';
const server = net.createServer().listen(0, '127.0.0.1').unref();
await once(server, 'listening');
const client = net.connect(server.address().port, '127.0.0.1').setEncoding('utf8');
const [peer] = await once(server, 'connection');
`;

/** For those about test cases. */
const TEST = `import { beforeEach, test } from 'node:test';
`;

const preludeOf = (example: string): string =>
  [
    PRELUDE,
    example.includes('socket.') ? SOCKET : '',
    example.includes('peer.') ? ENDS : '',
    example.includes('test(') ? TEST : '',
  ].join('');

test('docs/feasibility.md: the counter-examples hold on plain Node', async () => {
  const sections = doc('docs/feasibility.md').split(/^## /m);
  const rules = sections.flatMap((text) => /^C\d+/.exec(text)?.[0] ?? []);
  assert.deepEqual(
    rules,
    [1, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18].map((n) => `C${n}`),
  );
  const examples = sections.flatMap((text) => blocks(text, 'js'));
  assert.equal(examples.length, 32);
  await Promise.all(
    examples.map(async (example) => {
      const cwd = emptyFolder();
      writeFileSync(join(cwd, 'a'), 'one');
      writeFileSync(join(cwd, 'b'), 'another');
      mkdirSync(join(cwd, 'new'));
      const text = preludeOf(example) + example;
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', text], { cwd });
    }),
  );
});
