import { open, rename } from 'node:fs/promises';
import { work } from './begun.js';

await work(async ([path, way]) => {
  const draft = way === 'renamed' ? `${path}.draft` : path;
  const file = await open(draft, 'w');
  await file.write('{"lamps":');
  await file.write('3}');
  await file.close();
  if (draft !== path) await rename(draft, path);
});
