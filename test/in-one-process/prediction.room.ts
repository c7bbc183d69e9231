import { enter } from './enter.ts';

await enter('predictor');
