import { salesman } from '../lib/salesman.ts';

salesman('tsp', { cities: 5, threads: 2, seed: 1 });
