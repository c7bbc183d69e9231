/** Programs that were compiled are told in the lines that people wrote: in every report, in stacks, and in what a test depends on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { compiled, inline } from '../../monitor/loader/compile.ts';
import { options } from '../../rescheduler/subjects/projects.ts';
import { project, readReport, run } from '../batch/command.ts';

const ACCOUNT = `import { readFile } from 'node:fs/promises';

/** Neither types nor comments are in
 * what is compiled.
 */
interface Options {
  readonly fee: number;
}

export class Account {
  balance = 0;
  private readonly options: Options;

  constructor(options: Options = { fee: 0 }) {
    this.options = options;
  }

  async deposit(amount: number): Promise<void> {
    const before: number = this.balance;
    await readFile(new URL(import.meta.url));
    this.balance = before + amount - this.options.fee;
  }
}
`;
const TEST = `import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'node:test';
import { Account } from './account.ts';

interface Unused {
  readonly a: 1;
}

test('two deposits', async () => {
  const account: Account = new Account();
  const late = async (): Promise<void> => {
    await sleep(50);
    await account.deposit(20);
  };
  await Promise.all([account.deposit(10), late()]);
  assert.equal(account.balance, 30);
});
`;

/** One file's map is beside it, with a root; that of the other one in it. */
function files(): Record<string, string> {
  const [account, tests] = [compiled(ACCOUNT), compiled(TEST)];
  const map = { ...account.map, sourceRoot: '../src/', sources: ['account.ts'] };
  return {
    'src/account.ts': ACCOUNT,
    'src/account.test.ts': TEST,
    'dist/account.js': `${account.code}\n//# sourceMappingURL=maps/account.json`,
    'dist/maps/account.json': JSON.stringify({ ...map, sourceRoot: '../../src/' }),
    'dist/account.test.js': tests.code + inline({ ...tests.map, sources: ['../src/account.test.ts'] }),
  };
}

test('every report names the line that was written, and inspect takes it', async (t) => {
  const cwd = project(t, files());
  const written = ['--json', 'out.json', '--reporter', 'html,sarif,junit,gitlab,github'];
  const ended = await run(cwd, [
    ...['run', '--max-schedules', '3', '--confirm', '1', ...written],
    ...['--', 'node', '--test', 'dist/account.test.js'],
  ]);
  assert.equal(ended.code, 1, ended.err);
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  const [bug] = readReport(cwd).bugs;
  const places = [bug?.first, bug?.remote, bug?.second].map((at) => `${at?.file}:${at?.line}:${at?.column}`);
  assert.deepEqual(places, ['src/account.ts:19:28', 'src/account.ts:21:5', 'src/account.ts:21:5']);
  const calls = [bug?.first, bug?.remote, bug?.second].map((at) => at?.calledFrom?.[0]);
  assert.deepEqual(calls.map((call) => `${call?.file}:${call?.line}:${call?.column}`).sort(), [
    'src/account.test.ts:14:19',
    'src/account.test.ts:14:19',
    'src/account.test.ts:16:30',
  ]);

  const page = read('unweave-report.html');
  const texts = [ended.out, page, read('out.json'), read('unweave.sarif'), read('unweave-junit.xml')];
  for (const text of texts) assert.doesNotMatch(text, /dist\/account(?:\.test)?\.js:\d/);
  for (const text of [ended.out, page]) {
    assert.match(text, /src\/account\.ts:19:28/);
    assert.match(text, /const before: number = /, 'the excerpt is of what was written');
    assert.match(text, /setTimeout 50 ms\s+(?:│\s+)*\(src\/account\.test\.ts:13\)/);
    assert.match(text, /\(src\/account\.test\.ts:17:10\)/);
  }
  assert.match(ended.out, /^::error .*file=src\/account\.ts,line=21,col=5/m);
  assert.match(read('unweave-junit.xml'), /src\/account\.ts:19:28/);
  const [finding] = JSON.parse(read('gl-code-quality-report.json'));
  assert.equal(finding.location.path, 'src/account.ts');
  const [result] = JSON.parse(read('unweave.sarif')).runs[0].results;
  assert.equal(result.locations[0].physicalLocation.artifactLocation.uri, 'src/account.ts');
  assert.equal(result.locations[0].physicalLocation.region.startLine, 21);

  const { out } = await run(cwd, ['inspect', 'src/account.ts:19-src/account.ts:21-src/account.ts:21']);
  assert.match(out, /RWW on Account#balance: reachable/);
});

/** What a test was seen to do. `text`: what is put behind its file. */
async function recorded(
  all: Record<string, string>,
  cleanup: Parameters<typeof project>[0],
  flags: string[] = [],
) {
  const cwd = project(cleanup, all);
  const [subject] = await recordCommand(['node', ...flags, 'dist/account.test.js'], { cwd });
  assert.ok(subject);
  return { subject, ...(await subject.record(options())) };
}

const named = (sites: readonly { file: string; line: number; text: string }[], text: string): string[] =>
  sites.flatMap((site) => (site.text === text ? [`${site.file}:${site.line}`] : []));

test('a test depends on what runs, and on what that was made of', async (t) => {
  const { subject, trace } = await recorded(files(), t);
  const both = ['dist/account.js', 'dist/account.test.js', 'src/account.test.ts', 'src/account.ts'];
  assert.deepEqual(subject.loaded, both);
  assert.deepEqual(trace.made?.toSorted(), ['dist/account.js', 'dist/account.test.js']);
});

test('sources that are not there are told', async (t) => {
  const { 'src/account.ts': _, ...rest } = files();
  const { trace } = await recorded(rest, t);
  assert.deepEqual([...new Set(named(trace.sites, 'this.balance'))].sort(), [
    'src/account.ts:19',
    'src/account.ts:21',
  ]);
});

test('names do not depend on maps', async (t) => {
  const all = files();
  const text = `let count = 0;\nconst m: Map<string, number> = new Map();\nexport async function bump(): Promise<void> { await null; count += 1; m.set('a', count); }\n`;
  const { code, map } = compiled(`interface Unused {\n  a: 1;\n}\n${text}`);
  const counted = {
    'dist/count.js': code + inline({ ...map, sources: ['../src/count.ts'] }),
    'dist/account.test.js': `import { bump } from './count.js'; import test from 'node:test';
      test('counts', async () => { const later = new Promise((done) => setTimeout(done, 1)).then(bump); await Promise.all([bump(), later]); });`,
  };
  const entities = [];
  for (const comment of [true, false]) {
    const count = comment ? counted['dist/count.js'] : code;
    const { trace } = await recorded({ ...all, ...counted, 'dist/count.js': count }, t);
    entities.push(trace.entities.map(({ name }) => name));
    assert.deepEqual(named(trace.sites, 'count += 1').length > 0, true);
    assert.equal(
      trace.sites.some(({ file }) => file === 'src/count.ts'),
      comment,
    );
  }
  assert.deepEqual(entities[0], entities[1]);
  assert.ok(entities[0]?.includes('dist/count.js:count'));
});

/** All in one line, as what is made small: a column that is off by one hook is another line. */
test('stacks are told alike whether Node reads maps or not', async (t) => {
  const source = TEST.replace("import { Account } from './account.ts';\n", '').replace(
    /const account[\s\S]*30\);/,
    `const state = { a: 1, b: 2 };
  state.a = state.b;
  state.b += state.a;
  await null; assert.equal(state.a + state.b, 0);
  state.a = state.b;`,
  );
  const lines = source.split('\n');
  const failing = lines.findIndex((each) => each.includes('assert.equal')) + 1;
  const { code, map } = compiled(source);
  // Joined, and the map with it: behind a line break the columns go on.
  const joined = code.replaceAll('\n', ' ');
  const { decode, encode } = await import('@jridgewell/sourcemap-codec');
  let offset = 0;
  const segments = decode(map.mappings).flatMap((segmentsOf, at) => {
    const own = segmentsOf.map(([column, ...rest]) => [column + offset, ...rest]);
    offset += (code.split('\n')[at]?.length ?? 0) + 1;
    return own;
  });
  const small = { ...map, mappings: encode([segments as never]), sources: ['../src/account.test.ts'] };
  for (const flags of [[], ['--enable-source-maps']]) {
    const all = { 'src/account.test.ts': source, 'dist/account.test.js': joined + inline(small) };
    const { result, trace } = await recorded(all, t, flags);
    const [frame] = (result.failure?.stack ?? '').split('\n').filter((each) => /^\s*at .*account/.test(each));
    assert.match(frame ?? '', new RegExp(`src/account\\.test\\.ts:${failing}:\\d+\\)?$`), flags.join());
    assert.ok(named(trace.sites, 'state.b').length > 0);
    for (const each of trace.sites) assert.equal(each.file, 'src/account.test.ts');
  }
});
