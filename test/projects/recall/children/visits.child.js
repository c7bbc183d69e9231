import { readFile, writeFile } from 'node:fs/promises';

const [, , path] = process.argv;
const visits = JSON.parse(await readFile(path, 'utf8'));
visits.count += 1;
await writeFile(path, JSON.stringify(visits));
