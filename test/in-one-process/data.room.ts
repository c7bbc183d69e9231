import { enter } from './enter.ts';

await enter('data');
