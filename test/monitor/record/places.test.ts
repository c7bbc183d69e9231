/** Where requests and synchronous file operations are placed, and whose accesses they are. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { EventKind, type Trace } from '../../../data/trace.ts';
import { Directories, WHOLE } from '../../rescheduler/gate/support.ts';
import { recorded as record } from './recorded.ts';

const directories = new Directories();
after(() => directories.remove());

const recorded = (source: string): Promise<Trace> => record(source, directories);

/** Each request: its API and where it was made. */
function requests({ requests, sites }: Trace): string[] {
  return requests.map(({ api, site }) => `${api} ${sites[site]?.line}:${sites[site]?.column}`);
}

/** What writing a whole file asks the host for. */
const WRITING = WHOLE ? ['fs.writeFile'] : ['fs.close', 'fs.open', 'fs.write'];

suite('requests are placed at their call', () => {
  test('but for those of a formatter of stacks, which is nowhere', async () => {
    const trace = await recorded(`import { readFileSync, writeFileSync } from 'node:fs';
export default async (dir) => {
  writeFileSync(dir + '/a', 'text');
  const { prepareStackTrace } = Error;
  let read = '';
  Error.prepareStackTrace = () => (read = readFileSync(dir + '/a', 'utf8'));
  const { stack } = new Error();
  Error.prepareStackTrace = prepareStackTrace;
  if (stack !== 'text' || read !== 'text') throw new Error('not read');
};`);
    assert.deepEqual(requests(trace), []);
  });

  test('two calls of one line, and all that the host does for each', async () => {
    const trace = await recorded(`import { readFile, writeFile } from 'node:fs/promises';
export default async (dir) => {
  await Promise.all([writeFile(dir + '/a', '1'), writeFile(dir + '/b', '2')]);
};`);
    const [first, second] = ['3:22', '3:50'];
    assert.deepEqual(
      requests(trace).sort(),
      WRITING.flatMap((api) => [`${api} ${first}`, `${api} ${second}`]),
    );
  });

  test('callbacks, streams and calls that are spread over lines', async () => {
    const trace = await recorded(`import fs from 'node:fs';
export default (dir) => new Promise((resolve) => {
  fs
    .writeFile(
      dir + '/a', 'text', () => {
        const stream = fs.createReadStream(dir + '/a');
        stream.on('data', () => {});
        stream.on('close', resolve);
      });
});`);
    const places = new Map<string, Set<string>>();
    for (const request of requests(trace)) {
      const [api, at] = request.split(' ') as [string, string];
      places.set(at, (places.get(at) ?? new Set()).add(api));
    }
    assert.deepEqual([...places.keys()], ['4:6', '6:24']);
    assert.deepEqual([...places.get('4:6')!].sort(), WRITING);
  });
});

test('a synchronous operation is an access of the code that runs', async () => {
  const trace = await recorded(`import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
export default async (dir) => {
  if (!existsSync(dir + '/x/y')) mkdirSync(dir + '/x/y', { recursive: true });
  await task(dir);
};
async function task(dir) { writeFileSync(dir + '/x/y/f', '1'); }`);
  const { events, entities, sites, activations } = trace;
  const seen: string[] = [];
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    if (kind !== EventKind.Read && kind !== EventKind.Write) continue;
    const { name } = entities[events.object[i]!]!;
    const { line, column } = sites[events.site[i]!]!;
    const who = activations[events.activation[i]!]!.name;
    if (/\/x/.test(name))
      seen.push(
        `${kind === EventKind.Write ? 'W' : 'R'} ${name.replace(/^fs:.*?\/x\b/, 'x')} ${line}:${column} ${who}`,
      );
  }
  assert.deepEqual(seen, [
    'R x 3:8 root',
    'R x/y 3:8 root',
    // The recursive call made both directories.
    'R x 3:34 root',
    'W x 3:34 root',
    'R x 3:34 root',
    'R x/y 3:34 root',
    'W x/y 3:34 root',
    'W x (entries) 3:34 root',
    'R x/y 6:28 task',
    'R x/y/f 6:28 task',
    'W x/y/f 6:28 task',
    'W x/y (entries) 6:28 task',
    'W x/y/f (content) 6:28 task',
  ]);
});
