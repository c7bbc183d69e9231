import { enter } from './enter.ts';

await enter('cli', 'house', 'report');
