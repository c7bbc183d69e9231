import { appendFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';

const [, , path, line, repaired] = process.argv;

if (repaired) appendFileSync(`${path}.${line}`, `${line}\n`);
else {
  // Above its limit the log becomes the old one, and a new one is begun.
  if (existsSync(path) && statSync(path).size >= 4) {
    const text = readFileSync(path, 'utf8');
    renameSync(path, `${path}.old`);
    writeFileSync(path, `# after ${text.length}\n`);
  }
  appendFileSync(path, `${line}\n`);
}
