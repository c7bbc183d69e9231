/** File operations: values, errors, flags, modes, encodings. Each gets a directory made by `prepare`. */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { basename, join } from 'node:path';
import { called, outcome, type Scenario } from './outcome.ts';

export function prepare(d: string): void {
  fs.writeFileSync(join(d, 'f'), 'hello');
  fs.writeFileSync(join(d, 'lines'), 'a\nb\nc');
  fs.writeFileSync(join(d, 'empty'), '');
  fs.writeFileSync(join(d, 'big'), Buffer.alloc(1_500_000, 98));
  fs.mkdirSync(join(d, 'sub/deep'), { recursive: true });
  fs.writeFileSync(join(d, 'sub/deep/k'), 'k');
}

const text = (path: string) => fs.readFileSync(path, 'utf8');
const cut = (d: string) => (path: string | undefined) => path?.slice(d.length);

export const files: Record<string, Scenario> = {
  writeFile: async (d) => [await outcome(fsp.writeFile(`${d}/a`, 'x')), text(`${d}/a`)],
  'writeFile wx on an existing file': (d) => outcome(fsp.writeFile(`${d}/f`, 'x', { flag: 'wx' })),
  'writeFile a': async (d) => [await outcome(fsp.writeFile(`${d}/f`, 'x', { flag: 'a' })), text(`${d}/f`)],
  'writeFile mode': async (d) => [
    await outcome(fsp.writeFile(`${d}/m`, 'x', { mode: 0o600 })),
    fs.statSync(`${d}/m`).mode,
  ],
  'writeFile to a directory': (d) => outcome(fsp.writeFile(d, 'x')),
  'writeFile without parent': (d) => outcome(fsp.writeFile(`${d}/no/x`, 'x')),
  'writeFile hex': async (d) => [await outcome(fsp.writeFile(`${d}/e`, '68656c6c6f', 'hex')), text(`${d}/e`)],
  'writeFile from an iterable': async (d) => [
    await outcome(fsp.writeFile(`${d}/i`, ['a', 'b', 'c'].values())),
    text(`${d}/i`),
  ],
  'writeFile flush': (d) => outcome(fsp.writeFile(`${d}/fl`, 'x', { flush: true })),
  'writeFile callback': async (d) => [
    await outcome(called((k) => fs.writeFile(`${d}/ca`, 'x', k))),
    text(`${d}/ca`),
  ],
  'writeFile callback wx': (d) => outcome(called((k) => fs.writeFile(`${d}/f`, 'x', { flag: 'wx' }, k))),
  'writeFile callback without parent': (d) => outcome(called((k) => fs.writeFile(`${d}/no/x`, 'x', k))),
  'writeFile callback to a descriptor': async (d) => {
    const fd = fs.openSync(`${d}/fd`, 'w');
    const answer = await outcome(called((k) => fs.writeFile(fd, 'x', k)));
    fs.closeSync(fd);
    return [answer, text(`${d}/fd`)];
  },
  'writeFile of what is open for reading only': (d) => outcome(fsp.writeFile(`${d}/f`, 'x', { flag: 'r' })),
  'writeFile of nothing': async (d) => [await outcome(fsp.writeFile(`${d}/f`, '')), text(`${d}/f`)],
  'writeFile of a part of a buffer': async (d) => [
    await outcome(fsp.writeFile(`${d}/f`, new Uint16Array([0x4141, 0x4242, 0x4343]).subarray(1))),
    text(`${d}/f`),
  ],
  'writeFile callback of a part, with a mode': async (d) => [
    await outcome(
      called((k) =>
        fs.writeFile(`${d}/n`, new DataView(Buffer.from('abc').buffer, 0, 0), { mode: '600' }, k),
      ),
    ),
    fs.statSync(`${d}/n`).mode & 0o777,
  ],
  'writeFile callback hex': async (d) => [
    await outcome(called((k) => fs.writeFile(`${d}/e`, '6869', 'hex', k))),
    text(`${d}/e`),
  ],
  'readFile of what is open for writing only': (d) => outcome(fsp.readFile(`${d}/f`, { flag: 'w' })),
  'readFile callback that makes the file': async (d) => [
    await outcome(called((k) => fs.readFile(`${d}/made`, { flag: 'a+', encoding: 'utf8' }, k))),
    fs.statSync(`${d}/made`).size,
  ],
  readFile: (d) => outcome(fsp.readFile(`${d}/f`)),
  'readFile base64': (d) => outcome(fsp.readFile(`${d}/f`, 'base64')),
  'readFile missing': (d) => outcome(fsp.readFile(`${d}/zz`)),
  'readFile of a directory': (d) => outcome(fsp.readFile(d)),
  'readFile of a loop of links': async (d) => {
    fs.symlinkSync('loop', `${d}/loop`);
    return [await outcome(fsp.readFile(`${d}/loop`)), await outcome(fsp.writeFile(`${d}/loop`, 'x'))];
  },
  'readFile of a name too long': (d) => outcome(fsp.readFile(`${d}/${'n'.repeat(300)}`)),
  'a closed descriptor': async (d) => {
    const fd = fs.openSync(`${d}/f`, 'r+');
    fs.closeSync(fd);
    const buffer = Buffer.alloc(2);
    return [
      await outcome(called((k) => fs.read(fd, buffer, 0, 2, 0, k))),
      await outcome(called((k) => fs.write(fd, buffer, 0, 2, 0, k))),
      await outcome(called((k) => fs.write(fd, 'x', k))),
      await outcome(called((k) => fs.writev(fd, [buffer], k))),
    ];
  },
  'readFile empty': (d) => outcome(fsp.readFile(`${d}/empty`, 'utf8')),
  'readFile big': async (d) => (await fsp.readFile(`${d}/big`)).length,
  'readFile of a file without size': async () => (await fsp.readFile('/proc/self/cmdline')).length > 0,
  'readFile callback': (d) => outcome(called((k) => fs.readFile(`${d}/f`, 'utf8', k))),
  'readFile callback big': async (d) => (await called((k) => fs.readFile(`${d}/big`, 'latin1', k))).length,
  'readFile callback missing': (d) => outcome(called((k) => fs.readFile(`${d}/zz`, k))),
  'readFile callback of a directory': (d) => outcome(called((k) => fs.readFile(d, k))),
  appendFile: async (d) => [await outcome(fsp.appendFile(`${d}/f`, 'Z')), text(`${d}/f`)],
  'appendFile callback': async (d) => [
    await outcome(called((k) => fs.appendFile(`${d}/g`, 'Z', k))),
    text(`${d}/g`),
  ],
  mkdir: async (d) => [await outcome(fsp.mkdir(`${d}/x`)), fs.existsSync(`${d}/x`)],
  'mkdir existing': (d) => outcome(fsp.mkdir(`${d}/sub`)),
  'mkdir -p': (d) => outcome(fsp.mkdir(`${d}/x/y/z`, { recursive: true }).then(cut(d))),
  'mkdir -p existing': (d) => outcome(fsp.mkdir(`${d}/sub`, { recursive: true })),
  'mkdir -p on a file': (d) => outcome(fsp.mkdir(`${d}/f`, { recursive: true })),
  'mkdir -p below a file': (d) => outcome(fsp.mkdir(`${d}/f/q/r`, { recursive: true })),
  'mkdir -p mode': async (d) => [
    await outcome(fsp.mkdir(`${d}/p/q`, { recursive: true, mode: 0o700 }).then(cut(d))),
    fs.statSync(`${d}/p`).mode,
    fs.statSync(`${d}/p/q`).mode,
  ],
  'mkdir -p callback': (d) =>
    outcome(called((k) => fs.mkdir(`${d}/x/y/z`, { recursive: true }, (e, p) => k(e, cut(d)(p))))),
  'mkdir -p callback on a file': (d) => outcome(called((k) => fs.mkdir(`${d}/f`, { recursive: true }, k))),
  'mkdir -p with dots': (d) => outcome(fsp.mkdir(`${d}/a/../b/./c`, { recursive: true }).then(cut(d))),
  'mkdir -p with a slash at the end': (d) =>
    outcome(fsp.mkdir(`${d}/s/t/`, { recursive: true }).then(cut(d))),
  'mkdir -p below a dangling link': async (d) => {
    fs.symlinkSync(`${d}/nowhere`, `${d}/dang`);
    return outcome(fsp.mkdir(`${d}/dang/x`, { recursive: true }));
  },
  'mkdir -p on a dangling link': async (d) => {
    fs.symlinkSync(`${d}/nowhere`, `${d}/dang`);
    return outcome(fsp.mkdir(`${d}/dang`, { recursive: true }));
  },
  copyFile: async (d) => [
    await outcome(fsp.copyFile(`${d}/f`, `${d}/f2`)),
    text(`${d}/f2`),
    fs.statSync(`${d}/f2`).mode,
  ],
  'copyFile excl twice': async (d) => [
    await outcome(fsp.copyFile(`${d}/f`, `${d}/g2`, fs.constants.COPYFILE_EXCL)),
    await outcome(fsp.copyFile(`${d}/f`, `${d}/g2`, fs.constants.COPYFILE_EXCL)),
  ],
  'copyFile missing': (d) => outcome(fsp.copyFile(`${d}/zz`, `${d}/g`)),
  'copyFile of a directory': async (d) => [
    await outcome(fsp.copyFile(`${d}/sub`, `${d}/g9`)),
    fs.existsSync(`${d}/g9`),
  ],
  'copyFile to a directory': (d) => outcome(fsp.copyFile(`${d}/f`, `${d}/sub`)),
  'copyFile to a missing directory': (d) => outcome(fsp.copyFile(`${d}/f`, `${d}/no/f`)),
  'copyFile to itself': async (d) => [await outcome(fsp.copyFile(`${d}/f`, `${d}/f`)), text(`${d}/f`)],
  'copyFile callback': async (d) => [
    await outcome(called((k) => fs.copyFile(`${d}/f`, `${d}/f3`, k))),
    text(`${d}/f3`),
  ],
  'copyFile callback missing': (d) => outcome(called((k) => fs.copyFile(`${d}/zz`, `${d}/f3`, k))),
  'copyFile over a longer file': async (d) => {
    fs.writeFileSync(`${d}/long`, '0123456789');
    fs.chmodSync(`${d}/long`, 0o600);
    const answer = await outcome(fsp.copyFile(`${d}/f`, `${d}/long`));
    return [answer, text(`${d}/long`), fs.statSync(`${d}/long`).mode];
  },
  rename: async (d) => [await outcome(fsp.rename(`${d}/f`, `${d}/y`)), text(`${d}/y`)],
  'rename missing': (d) => outcome(fsp.rename(`${d}/zz`, `${d}/y`)),
  unlink: async (d) => [await outcome(fsp.unlink(`${d}/f`)), fs.existsSync(`${d}/f`)],
  'unlink missing callback': (d) => outcome(called((k) => fs.unlink(`${d}/zz`, k))),
  'link and lstat': async (d) => {
    await fsp.link(`${d}/f`, `${d}/hard`);
    return (await fsp.lstat(`${d}/hard`)).nlink;
  },
  'symlink and readlink': (d) => outcome(fsp.symlink('f', `${d}/ln`).then(() => fsp.readlink(`${d}/ln`))),
  truncate: async (d) => [await outcome(fsp.truncate(`${d}/f`, 2)), text(`${d}/f`)],
  'truncate callback': async (d) => [
    await outcome(called((k) => fs.truncate(`${d}/f`, 3, k))),
    text(`${d}/f`),
  ],
  stat: (d) => outcome(fsp.stat(`${d}/f`).then((s) => [s.size, s.isFile(), s.mode])),
  'stat callback bigint': (d) =>
    outcome(called((k) => fs.stat(`${d}/f`, { bigint: true }, k)).then((s) => String(s.size))),
  'stat bigint': (d) => outcome(fsp.stat(`${d}/f`, { bigint: true }).then((s) => String(s.size))),
  'stat missing': (d) => outcome(fsp.stat(`${d}/zz`)),
  'two stats at once': async (d) => {
    const [a, b] = await Promise.all([
      called((k) => fs.stat(`${d}/f`, k)),
      called((k) => fs.stat(`${d}/sub`, k)),
    ]);
    return [a.isFile(), a.size, b.isDirectory()];
  },
  statfs: (d) => outcome(fsp.statfs(d).then((s) => [typeof s.bsize, s.type])),
  'access missing': (d) => outcome(fsp.access(`${d}/zz`)),
  'access callback': (d) => outcome(called((k) => fs.access(`${d}/f`, fs.constants.W_OK, k))),
  exists: (d) => new Promise((resolve) => fs.exists(`${d}/f`, resolve)),
  realpath: (d) => outcome(fsp.realpath(`${d}/sub/../f`).then((p) => basename(p))),
  'realpath callback': (d) =>
    outcome(called((k) => fs.realpath(`${d}/sub/../f`, k)).then((p) => basename(p))),
  'chmod, utimes': async (d) => {
    await fsp.chmod(`${d}/f`, 0o640);
    await fsp.utimes(`${d}/f`, 1000, 2000);
    const s = await fsp.stat(`${d}/f`);
    return [s.mode, s.mtimeMs, s.atimeMs];
  },
  mkdtemp: (d) => outcome(fsp.mkdtemp(`${d}/t-`).then((p) => p.length)),
  opendir: async (d) => {
    const names: string[] = [];
    for await (const entry of await fsp.opendir(d)) names.push(entry.name);
    return names.sort();
  },
  readdir: (d) => outcome(fsp.readdir(d).then((names) => names.sort())),
  'readdir with types': (d) =>
    outcome(
      fsp.readdir(d, { withFileTypes: true }).then((all) => all.map((e) => e.name + e.isDirectory()).sort()),
    ),
  'readdir recursive': (d) => outcome(fsp.readdir(d, { recursive: true }).then((names) => names.sort())),
  'readdir callback of a file': (d) => outcome(called((k) => fs.readdir(`${d}/f`, k))),
  'validation error': async (d) =>
    outcome((async () => fsp.readFile(d, { encoding: 'nonsense' as 'utf8' }))()),
  'invalid path': async () => outcome((async () => fsp.readFile('a\0b'))()),
};
