/** Operations of several requests: recursive calls, handles, streams, cancellation. */
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { called, outcome, type Scenario } from './outcome.ts';

const text = (path: string) => fs.readFileSync(path, 'utf8');

export const compound: Record<string, Scenario> = {
  'rm -r': async (d) => [await outcome(fsp.rm(`${d}/sub`, { recursive: true })), fs.existsSync(`${d}/sub`)],
  'rm -r callback': async (d) => [
    await outcome(called((k) => fs.rm(`${d}/sub`, { recursive: true }, k))),
    fs.existsSync(`${d}/sub`),
  ],
  'rm missing': (d) => outcome(fsp.rm(`${d}/zz`)),
  'rm force': (d) => outcome(fsp.rm(`${d}/zz`, { force: true })),
  'rm of a directory': (d) => outcome(fsp.rm(`${d}/sub`)),
  'rmdir not empty': (d) => outcome(fsp.rmdir(`${d}/sub`)),
  'cp -r': async (d) => [
    await outcome(fsp.cp(`${d}/sub`, `${d}/sub2`, { recursive: true })),
    fs.readdirSync(`${d}/sub2`, { recursive: true }).sort(),
  ],
  FileHandle: async (d) => {
    const handle = await fsp.open(`${d}/f`, 'r+');
    const read = await handle.read(Buffer.alloc(3), 0, 3, 0);
    await handle.write('QQ', 0);
    await handle.truncate(4);
    const { size } = await handle.stat();
    await handle.sync();
    await handle.close();
    const again = await outcome(handle.close());
    return [read.bytesRead, size, text(`${d}/f`), again, await outcome(handle.read(Buffer.alloc(1)))];
  },
  'FileHandle readFile and writev': async (d) => {
    await using handle = await fsp.open(`${d}/v`, 'w+');
    await handle.writev([Buffer.from('ab'), Buffer.from('cd')]);
    const buffers = [Buffer.alloc(1), Buffer.alloc(3)];
    await handle.readv(buffers, 0);
    return [buffers.map(String), await handle.readFile('utf8'), text(`${d}/v`)];
  },
  'FileHandle closed while reading': async (d) => {
    const handle = await fsp.open(`${d}/f`);
    const reading = handle.read(Buffer.alloc(5), 0, 5, 0);
    const closing = handle.close();
    return [(await reading).bytesRead, await outcome(closing), handle.fd];
  },
  'await using': async (d) => {
    let handle: fsp.FileHandle;
    {
      await using inner = await fsp.open(`${d}/f`);
      handle = inner;
    }
    return handle.fd;
  },
  readLines: async (d) => {
    const handle = await fsp.open(`${d}/lines`);
    const lines: string[] = [];
    for await (const line of handle.readLines()) lines.push(line);
    return lines;
  },
  readline: async (d) => {
    const lines: string[] = [];
    for await (const line of createInterface({ input: fs.createReadStream(`${d}/lines`) })) lines.push(line);
    return lines;
  },
  'read stream': async (d) => {
    const chunks: string[] = [];
    for await (const chunk of fs.createReadStream(`${d}/f`, { highWaterMark: 2 })) chunks.push(String(chunk));
    return chunks;
  },
  'read stream missing': (d) =>
    outcome(
      new Promise<void>((resolve, reject) => {
        fs.createReadStream(`${d}/zz`).on('error', reject).on('end', resolve);
      }),
    ),
  'write stream': async (d) => {
    const stream = fs.createWriteStream(`${d}/w`);
    stream.write('a');
    stream.write('b');
    await new Promise<void>((resolve) => stream.end('c', () => resolve()));
    return text(`${d}/w`);
  },
  'write stream wx': (d) =>
    outcome(
      new Promise<void>((resolve, reject) => {
        fs.createWriteStream(`${d}/f`, { flags: 'wx' })
          .on('error', reject)
          .on('finish', () => resolve())
          .end('x');
      }),
    ),
  'order of stream events': async (d) => {
    const events: string[] = [];
    const stream = fs.createReadStream(`${d}/f`);
    for (const event of ['open', 'ready', 'data', 'end', 'close']) stream.on(event, () => events.push(event));
    await new Promise<void>((resolve) => stream.on('close', () => resolve()));
    return events;
  },
  pipeline: async (d) => {
    await pipeline(fs.createReadStream(`${d}/big`), fs.createWriteStream(`${d}/big2`));
    return fs.statSync(`${d}/big2`).size;
  },
  'aborted before': (d) => outcome(fsp.writeFile(`${d}/ab`, 'x', { signal: AbortSignal.abort() })),
  'aborted in the same turn': async (d) => {
    const control = new AbortController();
    const writing = outcome(
      fsp.writeFile(`${d}/ab2`, Buffer.alloc(3_000_000, 97), { signal: control.signal }),
    );
    control.abort();
    return [await writing, fs.existsSync(`${d}/ab2`) && fs.statSync(`${d}/ab2`).size];
  },
  'aborted in a tick': async (d) => {
    const control = new AbortController();
    const reading = outcome(fsp.readFile(`${d}/big`, { signal: control.signal }));
    process.nextTick(() => control.abort());
    return reading;
  },
  'callback write aborted': async (d) => {
    const control = new AbortController();
    const writing = outcome(called((k) => fs.writeFile(`${d}/cab`, 'x', { signal: control.signal }, k)));
    control.abort();
    return writing;
  },
  'callback read aborted': async (d) => {
    const control = new AbortController();
    const reading = outcome(called((k) => fs.readFile(`${d}/big`, { signal: control.signal }, k)));
    control.abort();
    return reading;
  },
  'asynchronous context': async (d) => {
    const storage = new AsyncLocalStorage<number>();
    const seen: boolean[] = [];
    const task = async (k: number) => {
      const check = () => {
        seen.push(storage.getStore() === k);
      };
      const checked =
        <T extends unknown[]>(then: (...args: T) => void) =>
        (...args: T) => {
          check();
          then(...args);
        };
      await fsp.stat(d);
      check();
      await called((done) =>
        fs.readFile(
          `${d}/f`,
          checked((error) => done(error)),
        ),
      );
      await new Promise<void>((resolve) => setTimeout(checked(resolve), 1));
      await new Promise<void>((resolve) => setImmediate(checked(resolve)));
      await sleep(1);
      check();
      await called((done) =>
        fs.mkdir(
          `${d}/c${k}/d`,
          { recursive: true },
          checked((error) => done(error)),
        ),
      );
      await called((done) =>
        fs.copyFile(
          `${d}/f`,
          `${d}/cp${k}`,
          checked((error) => done(error)),
        ),
      );
      check();
    };
    await Promise.all([1, 2].map((k) => storage.run(k, task, k)));
    return seen;
  },
};
