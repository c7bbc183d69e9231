// Carries out the calls of a program: in a child, which tells what came of them as it ends, or in the program itself.
import fs from 'node:fs';

const CALLS = {
  write: (path, { text }) => fs.writeFileSync(path, text),
  append: (path, { text }) => fs.appendFileSync(path, text),
  // Without its encoding Node takes three calls for it, between which the file is there and empty.
  create: (path, { text }) => fs.writeFileSync(path, text, { encoding: 'utf8', flag: 'wx' }),
  read: (path) => fs.readFileSync(path, 'utf8'),
  exists: (path) => String(fs.existsSync(path)),
  remove: (path) => fs.unlinkSync(path),
  rename: (path, { to }, dir) => fs.renameSync(path, `${dir}/${to}`),
};

export function carriedOut(dir, call) {
  try {
    return CALLS[call.kind](`${dir}/${call.file}`, call, dir) ?? 'ok';
  } catch (error) {
    return error.code;
  }
}

const [, , dir, calls] = process.argv;
if (calls !== undefined && process.send) {
  process.send('there');
  process.once('message', () => {
    process.send(JSON.parse(calls).map((call) => carriedOut(dir, call)));
    process.disconnect();
  });
}
