import { appendFile } from 'node:fs/promises';
import { work } from './begun.js';

await work(([path]) => appendFile(path, 'paid\n'));
