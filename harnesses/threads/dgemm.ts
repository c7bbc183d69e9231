import { dgemm } from '../lib/matrices.ts';

dgemm('dgemm', 6, 2);
