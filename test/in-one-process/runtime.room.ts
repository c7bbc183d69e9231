import { enter } from './enter.ts';

await enter('monitor/runtime', 'monitor/threads');
