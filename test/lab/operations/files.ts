/** The file system in all its forms: callbacks, promises, handles, streams, directories. */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { ends, type Operation, type Operations, type Scene, settles } from './operation.ts';

/** Files that every program finds. */
export function prepare(directory: string): void {
  for (const name of ['s0', 's1']) fs.writeFileSync(`${directory}/${name}`, 'abc');
  for (const name of ['d', 'w']) fs.mkdirSync(`${directory}/${name}`);
  fs.writeFileSync(`${directory}/d/k`, 'k');
  fs.symlinkSync('s0', `${directory}/link`);
}

/** A file that several nodes use, and a name that only this one uses. */
const shared = ({ directory, n }: Scene): string => `${directory}/s${n % 2}`;
const own = ({ directory, id }: Scene): string => `${directory}/o${id}`;
const owner = (): [number, number] => [process.getuid?.() ?? 0, process.getgid?.() ?? 0];

/** Does something with a handle of a shared file; only the end of it all is told. */
const withHandle =
  (use: (handle: fsp.FileHandle) => Promise<unknown>, show?: (value: any) => unknown): Operation =>
  (scene, story) => {
    const whole = async () => {
      const handle = await fsp.open(shared(scene), 'r+');
      try {
        return await use(handle);
      } finally {
        await handle.close();
      }
    };
    settles(story, whole(), show);
  };

export const files: Operations = {
  // Callbacks.
  stat: (scene, story) =>
    fs.stat(
      shared(scene),
      ends(story, ({ size }) => size),
    ),
  'stat of nothing': (scene, story) => fs.stat(own(scene), ends(story)),
  lstat: ({ directory }, story) => fs.lstat(`${directory}/link`, ends(story)),
  fstat: (scene, story) => {
    const fd = fs.openSync(shared(scene), 'r');
    fs.fstat(fd, (error, stats) => {
      fs.closeSync(fd);
      ends(story, ({ size }) => size)(error, stats);
    });
  },
  access: (scene, story) => fs.access(shared(scene), ends(story)),
  exists: (scene, { done }) => fs.exists(shared(scene), done),
  'open and close': (scene, story) =>
    fs.open(shared(scene), 'r', (error, fd) => {
      story.tell('open', error?.code);
      if (error) story.done();
      else fs.close(fd, ends(story));
    }),
  'read and write': (scene, story) => {
    const fd = fs.openSync(shared(scene), 'r+');
    fs.write(fd, String(scene.id), 0, () => {
      story.tell('written');
      fs.read(fd, Buffer.alloc(4), 0, 4, 0, (error, _, bytes) => {
        fs.closeSync(fd);
        ends(story, String)(error, bytes);
      });
    });
  },
  'write a buffer': (scene, story) => {
    const fd = fs.openSync(own(scene), 'w');
    fs.write(fd, Buffer.from('x'), (error) => {
      fs.closeSync(fd);
      ends(story)(error);
    });
  },
  'write and read many': (scene, story) => {
    const fd = fs.openSync(own(scene), 'w+');
    fs.writev(fd, [Buffer.from('a'), Buffer.from('b')], 0, () => {
      story.tell('written');
      fs.readv(fd, [Buffer.alloc(1), Buffer.alloc(1)], 0, (error, n) => {
        fs.closeSync(fd);
        ends(story, () => n)(error);
      });
    });
  },
  readFile: (scene, story) =>
    fs.readFile(
      shared(scene),
      'utf8',
      ends(story, (text) => text),
    ),
  writeFile: (scene, story) => fs.writeFile(shared(scene), String(scene.id), ends(story)),
  appendFile: (scene, story) => fs.appendFile(shared(scene), String(scene.id), ends(story)),
  truncate: (scene, story) => fs.truncate(shared(scene), 1, ends(story)),
  ftruncate: (scene, story) => {
    const fd = fs.openSync(own(scene), 'w');
    fs.ftruncate(fd, 2, (error) => {
      fs.closeSync(fd);
      ends(story)(error);
    });
  },
  'fsync and fdatasync': (scene, story) => {
    const fd = fs.openSync(own(scene), 'w');
    fs.fsync(fd, () => {
      story.tell('fsync');
      fs.fdatasync(fd, (error) => {
        fs.closeSync(fd);
        ends(story)(error);
      });
    });
  },
  utimes: (scene, story) => fs.utimes(shared(scene), 1, 1, ends(story)),
  lutimes: ({ directory }, story) => fs.lutimes(`${directory}/link`, 1, 1, ends(story)),
  'futimes, fchmod and fchown': (scene, story) => {
    const fd = fs.openSync(own(scene), 'w');
    fs.futimes(fd, 1, 1, () => {
      story.tell('futimes');
      fs.fchmod(fd, 0o600, () => {
        story.tell('fchmod');
        fs.fchown(fd, ...owner(), (error) => {
          fs.closeSync(fd);
          ends(story)(error);
        });
      });
    });
  },
  chmod: (scene, story) => fs.chmod(shared(scene), 0o644, ends(story)),
  'chown and lchown': (scene, story) =>
    fs.chown(shared(scene), ...owner(), () => {
      story.tell('chown');
      fs.lchown(`${scene.directory}/link`, ...owner(), ends(story));
    }),
  copyFile: (scene, story) => fs.copyFile(shared(scene), own(scene), ends(story)),
  'copyFile over another': (scene, story) =>
    fs.copyFile(`${scene.directory}/d/k`, shared(scene), ends(story)),
  link: (scene, story) => fs.link(shared(scene), `${scene.directory}/l${scene.n % 2}`, ends(story)),
  symlink: ({ directory, n }, story) => fs.symlink('s0', `${directory}/y${n % 2}`, ends(story)),
  readlink: ({ directory }, story) =>
    fs.readlink(
      `${directory}/link`,
      ends(story, (path) => path),
    ),
  realpath: ({ directory }, story) => fs.realpath(`${directory}/link`, ends(story)),
  'realpath.native': ({ directory }, story) => fs.realpath.native(`${directory}/link`, ends(story)),
  mkdir: ({ directory, n }, story) => fs.mkdir(`${directory}/m${n % 2}`, ends(story)),
  'mkdir -p': ({ directory, n, id }, story) =>
    fs.mkdir(`${directory}/m${n % 2}/${id}`, { recursive: true }, ends(story)),
  mkdtemp: ({ directory }, story) => fs.mkdtemp(`${directory}/t-`, ends(story)),
  readdir: ({ directory }, story) =>
    fs.readdir(
      directory,
      ends(story, (names) => names.length),
    ),
  rmdir: ({ directory, n }, story) => fs.rmdir(`${directory}/m${n % 2}`, ends(story)),
  rename: (scene, story) => fs.rename(shared(scene), own(scene), ends(story)),
  unlink: (scene, story) => fs.unlink(shared(scene), ends(story)),
  rm: (scene, story) => fs.rm(shared(scene), { force: true }, ends(story)),
  'rm -r': ({ directory }, story) => fs.rm(`${directory}/d`, { recursive: true, force: true }, ends(story)),
  statfs: ({ directory }, story) => fs.statfs(directory, ends(story)),
  opendir: ({ directory }, story) =>
    fs.opendir(`${directory}/d`, (error, folder) => {
      if (error) return ends(story)(error);
      story.tell('open');
      folder.read(() => {
        story.tell('read');
        folder.close(ends(story));
      });
    }),
  'synchronous calls': (scene, { tell, done }) => {
    tell('exists', fs.existsSync(shared(scene)));
    fs.writeFileSync(own(scene), 'x');
    tell('read', fs.readFileSync(own(scene), 'utf8'));
    fs.rmSync(own(scene));
    done(fs.readdirSync(scene.directory).length);
  },
  // Promises and handles.
  'fsp.stat': (scene, story) => settles(story, fsp.stat(shared(scene)), ({ size }) => size),
  'fsp.readFile': (scene, story) => settles(story, fsp.readFile(shared(scene), 'utf8'), (text) => text),
  'fsp.writeFile': (scene, story) => settles(story, fsp.writeFile(shared(scene), String(scene.id))),
  'fsp.appendFile': (scene, story) => settles(story, fsp.appendFile(shared(scene), String(scene.id))),
  'fsp.mkdir -p': ({ directory, n, id }, story) =>
    settles(story, fsp.mkdir(`${directory}/p${n % 2}/${id}`, { recursive: true })),
  'fsp.readdir': ({ directory }, story) => settles(story, fsp.readdir(directory), (names) => names.length),
  'fsp.rm -r': ({ directory }, story) =>
    settles(story, fsp.rm(`${directory}/d`, { recursive: true, force: true })),
  'fsp.cp -r': ({ directory, id }, story) =>
    settles(story, fsp.cp(`${directory}/d`, `${directory}/c${id}`, { recursive: true })),
  'fsp.rename': (scene, story) => settles(story, fsp.rename(shared(scene), own(scene))),
  'fsp.opendir': ({ directory }, story) => {
    const count = async () => {
      let names = 0;
      for await (const _ of await fsp.opendir(directory)) names += 1;
      return names;
    };
    settles(story, count(), (names) => names);
  },
  'handle: read': withHandle(
    (handle) => handle.read(Buffer.alloc(4), 0, 4, 0),
    ({ bytesRead }) => bytesRead,
  ),
  'handle: readFile': withHandle(
    (handle) => handle.readFile('utf8'),
    (text) => text,
  ),
  'handle: write': withHandle((handle) => handle.write('Q', 0)),
  'handle: stat and sync': withHandle(async (handle) => {
    await handle.sync();
    return handle.stat();
  }),
  // Streams.
  'read stream': (scene, { tell, done }) => {
    fs.createReadStream(shared(scene), { highWaterMark: 2 })
      .on('data', (chunk) => tell('data', String(chunk)))
      .on('error', (error: NodeJS.ErrnoException) => tell('error', error.code))
      .on('close', () => done());
  },
  'write stream': (scene, { tell, done }) => {
    const stream = fs.createWriteStream(shared(scene));
    stream.on('open', () => tell('open')).on('finish', () => tell('finish'));
    stream.on('close', () => done()).write('1');
    stream.end('2');
  },
  pipeline: (scene, story) =>
    settles(story, pipeline(fs.createReadStream(shared(scene)), fs.createWriteStream(own(scene)))),
  readline: (scene, { tell, done }) => {
    const input = fs.createReadStream(shared(scene));
    input.on('error', (error: NodeJS.ErrnoException) => tell('error', error.code));
    input.on('close', () => done());
    createInterface({ input })
      .on('line', (line) => tell('line', line))
      .on('close', () => tell('end'));
  },
};
