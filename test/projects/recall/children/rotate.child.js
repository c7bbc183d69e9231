import { appendFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { work } from './begun.js';

await work(([path, line, own]) => {
  const log = own ? `${path}.${line}` : path;
  // Above its limit the log becomes the old one, and a new one is begun.
  if (existsSync(log) && statSync(log).size >= 18) {
    const text = readFileSync(log, 'utf8');
    renameSync(log, `${log}.old`);
    writeFileSync(log, `# after ${text.length}\n`);
  }
  appendFileSync(log, `${line}\n`);
});
