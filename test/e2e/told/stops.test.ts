/** `replay --inspect-brk --break`: whoever has attached a debugger is stopped at the accesses that explain the bug, and nowhere else. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import type { ReportBug } from '../../../data/report.ts';
import { API, assertOneLine, BIN, project, readReport, run } from '../batch/command.ts';

const BANK = `export class Account {
  balance = 0;
  async deposit(amount: number, pause: () => Promise<unknown>): Promise<void> {
    for (const part of [0, amount]) {
      const before = this.balance;
      if (part > 0) await pause();
      this.balance = before + part;
    }
  }
}
`;
const FILES = {
  'bank.ts': BANK,
  'bank.test.ts': `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Account } from './bank.ts';
const pause = () => readFile('package.json');
test('two deposits', async () => {
  const account = new Account();
  const late = async () => { await sleep(20); await account.deposit(2, pause); };
  await Promise.all([account.deposit(1, pause), late()]);
  assert.equal(account.balance, 3);
});
`,
  'notes.harness.ts': `import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '${API}';
async function add(file: string, note: string) {
  const before = existsSync(file) ? await readFile(file, 'utf8') : '';
  await writeFile(file, before + note);
}
harness({
  name: 'two notes',
  setup: ({ dir }) => join(dir, 'notes'),
  tasks: { one: (file) => add(file, 'a'), two: (file) => sleep(20).then(() => add(file, 'b')) },
  check: async (file) => assert.equal((await readFile(file, 'utf8')).length, 2),
});
`,
};
const FEW = ['--max-schedules', '3', '--confirm', '1', '--json', 'out.json'];

interface Message {
  readonly method?: string;
  readonly params: {
    readonly scriptId: string;
    readonly url: string;
    readonly callFrames: readonly {
      readonly location: { readonly scriptId: string; readonly lineNumber: number };
    }[];
  };
}

/** Where a client of the debugger is stopped, as \`file:line\`, while it lets the process go on each time. */
async function stopped(
  cwd: string,
  args: readonly string[],
): Promise<{ stops: string[]; code: number | null; err: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd, env: { ...env, NO_COLOR: '1', NODE_OPTIONS: '--inspect-port=0' } };
  const child = spawn(process.execPath, [BIN, 'replay', ...args], options);
  const stops: string[] = [];
  let err = '';
  let isAttached = false;
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    const url = /listening on (ws:\S+)/.exec(err)?.[1];
    if (url === undefined || isAttached) return;
    isAttached = true;
    attach(url, stops);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { stops, code, err };
}

function attach(url: string, stops: string[]): void {
  const client = new WebSocket(url);
  const scripts = new Map<string, string>();
  const post = (method: string): void => client.send(JSON.stringify({ id: 1, method }));
  client.onopen = () =>
    ['Runtime.enable', 'Debugger.enable', 'Runtime.runIfWaitingForDebugger'].forEach(post);
  client.onmessage = ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as Message;
    if (method === 'Debugger.scriptParsed') scripts.set(params.scriptId, params.url.replace(/.*\//, ''));
    if (method === 'Runtime.executionContextDestroyed') client.close();
    if (method !== 'Debugger.paused') return;
    const { scriptId, lineNumber } = params.callFrames[0]!.location;
    stops.push(`${scripts.get(scriptId)}:${lineNumber + 1}`);
    post('Debugger.resume');
  };
}

const placesOf = ({ first, remote, second }: ReportBug): string[] =>
  [first, remote, second].flatMap((access) => (access ? [`${access.file}:${access.line}`] : []));

test('a test case: at the three accesses, in their order, and not at others of the same lines', async (t) => {
  const cwd = project(t, FILES);
  const ended = await run(cwd, ['run', ...FEW, '--', 'node', '--test', 'bank.test.ts']);
  assert.equal(ended.code, 1, ended.err);
  const [bug] = readReport(cwd).bugs;
  assert.deepEqual(placesOf(bug!), ['bank.ts:5', 'bank.ts:7', 'bank.ts:7']);
  const { stops, code, err } = await stopped(cwd, [bug!.id, '--inspect-brk', '--break']);
  assert.deepEqual(stops, ['bank.ts:5', 'bank.ts:7', 'bank.ts:7'], err);
  assert.equal(code, 1, err);
  assert.match(err, /the debugger stops where ① .* reads at bank\.ts:5:\d+\n/);

  assertOneLine(await run(cwd, ['replay', 'nothing', '--break']), 2, /nothing: neither a bug nor a schedule/);
});

test('a harness, and files: where what the host does is asked for', async (t) => {
  const cwd = project(t, FILES);
  const ended = await run(cwd, ['run', ...FEW, 'notes.harness.ts']);
  assert.equal(ended.code, 1, ended.err);
  const [bug] = readReport(cwd).bugs;
  const { stops, code, err } = await stopped(cwd, [bug!.id, '--break']);
  assert.deepEqual(stops.toSorted(), placesOf(bug!).toSorted(), err);
  const told = [
    ...err.matchAll(/stops where .* at (\S+):\d+ \(the call that asks for it: it takes effect later\)/g),
  ];
  assert.deepEqual(
    stops,
    told.map(([, at]) => at),
    err,
  );
  assert.equal(code, 1, err);
});
