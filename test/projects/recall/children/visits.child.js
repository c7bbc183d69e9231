import { readFile, writeFile } from 'node:fs/promises';
import { work } from './begun.js';

await work(async ([path]) => {
  const visits = JSON.parse(await readFile(path, 'utf8'));
  visits.count += 1;
  await writeFile(path, JSON.stringify(visits));
});
