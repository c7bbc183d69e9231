import { readFile, writeFile } from 'node:fs/promises';

const [, , path] = process.argv;
const stock = JSON.parse(await readFile(path, 'utf8'));
await writeFile(path, JSON.stringify({ ...stock, lamps: 3 }));
