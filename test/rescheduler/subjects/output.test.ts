/** Which line of the output of a program is shown. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { OutputTail } from '../../../rescheduler/subjects/output.ts';

async function complaint(text: string): Promise<string> {
  const tail = new OutputTail();
  const stream = Readable.from([Buffer.from(text)]);
  const ended = new Promise((resolve) => stream.once('end', resolve));
  tail.follow(stream);
  await ended;
  return tail.complaint();
}

test('the error itself, not the line of source that Node shows above it', async () => {
  const thrown =
    "a.mjs:3\n  throw new SyntaxError('no');\n  ^\n\nTypeError [ERR_X]: it is none\n    at a.mjs:3:9\n";
  assert.equal(await complaint(thrown), 'TypeError [ERR_X]: it is none');
});

test('no more of a line than somebody reads: Node shows the line of the source, which may be all of a minified file', async () => {
  const source = `a.min.js:1\n${'var n=new Error,'.repeat(1000)}\n ^\n`;
  assert.equal(
    await complaint(`${source}\nTypeError: it is none\n    at a.min.js:1:9\n`),
    'TypeError: it is none',
  );
  assert.equal((await complaint(source)).length, 301);
  const tail = new OutputTail();
  tail.add(Buffer.from(`${source}last`), true);
  assert.deepEqual(
    tail.lastErrors().map(({ length }) => length),
    [301, 2, 4],
  );
});

test('of a stack the frames that somebody can do something about', () => {
  const ours = new URL('../../../dist/chunks/run.js', import.meta.url).href;
  const thrown = `not ok: expect truthy value\n    at check (/p/test.js:3:9)\n    at process.emit (${ours}:4572:15)\n    at process.emit (node:events:514:28)\n    at node:internal/main:1:1\n`;
  const tail = new OutputTail();
  tail.add(Buffer.from(thrown), true);
  assert.deepEqual(tail.lastErrors(), ['not ok: expect truthy value', '    at check (/p/test.js:3:9)']);
});

test('else a line that names an error, else the last', async () => {
  assert.equal(await complaint('begun\nnpm error missing script: x\nended\n'), 'npm error missing script: x');
  assert.equal(await complaint('begun\nended\n'), 'ended');
  const coverage = 'ERROR: Coverage for branches (79.83%) does not meet global threshold (100%)';
  assert.equal(await complaint(`✔ an error is thrown (1 ms)\n${coverage}\n`), coverage);
  assert.equal(await complaint('ok 1 - an error is thrown\nended\n'), 'ended');
});
