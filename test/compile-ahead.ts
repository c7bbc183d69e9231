/**
 * Fills Node's compile cache before the tests. Node keeps there what V8 compiles as it loads a module; what it compiles as functions are
 * called, each of the two thousand processes that tests start would compile again, for a fifteenth of all that they do.
 * `node test/compile-ahead.ts <folder> <module> …`: the modules, and all that they import; none is run.
 *
 * Under a flag V8 compiles whole modules. What it makes of them is the same, but marked with the flags of the process, and taken by
 * processes with these alone: it gets the mark of a process without. Where marks are not what is thought here, all is left as it is.
 */
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** What Node writes before that of V8: five words, the last of them a sum. */
const SUM_AT = 16;
const V8_AT = 20;
/** What V8 compares before it takes anything: eight words. */
const V8_WORDS = 8;

/** The marks of this process as it is now. */
function marks(): number[] {
  const data = new Script('').createCachedData();
  return Array.from({ length: V8_WORDS }, (_, at) => data.readUInt32LE(4 * at));
}

/** Linking fails, for the last import has no such name: so all are compiled, and none is run. */
async function load(files: readonly string[]): Promise<void> {
  const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)};`);
  const text = [...imports, "import { nothing } from 'node:fs';"].join('\n');
  const failed = await import(`data:text/javascript,${encodeURIComponent(text)}`).catch((error) => error);
  if (!/'nothing'/.test(String(failed))) throw failed;
}

async function compileAhead(folder: string, files: readonly string[]): Promise<void> {
  enableCompileCache(folder);
  const plain = marks();
  setFlagsFromString('--no-lazy');
  const whole = marks();
  await load(files);
  flushCompileCache();
  setFlagsFromString('--lazy');
  const [at = -1, ...others] = whole.flatMap((mark, i) => (mark === plain[i] ? [] : [i]));
  if (at < 0 || others.length > 0) return;
  for (const name of readdirSync(getCompileCacheDir()!))
    remark(join(getCompileCacheDir()!, name), V8_AT + 4 * at, whole[at]!, plain[at]!);
}

function remark(path: string, at: number, from: number, to: number): void {
  const data = readFileSync(path);
  if (data.length < V8_AT + 4 * V8_WORDS || data.readUInt32LE(at) !== from) return;
  if (data.readUInt32LE(SUM_AT) !== crc32(data.subarray(V8_AT))) return;
  data.writeUInt32LE(to, at);
  data.writeUInt32LE(crc32(data.subarray(V8_AT)), SUM_AT);
  writeFileSync(path, data);
}

const [folder = '', ...modules] = process.argv.slice(2);
await compileAhead(
  resolve(folder),
  globSync(modules).map((file) => resolve(file)),
);
