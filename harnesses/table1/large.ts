/** The rows of Penelope's table that are large. Run by `npm run table1`, not by the tests. */
import { elevator } from '../lib/elevator.ts';
import { dgemm } from '../lib/matrices.ts';
import { raytracer } from '../lib/raytracer.ts';
import { salesman } from '../lib/salesman.ts';

elevator('elevator data', { lifts: 2, floors: 5, people: 20, seed: 1 });
elevator('elevator data2', { lifts: 4, floors: 10, people: 400, seed: 2 });
elevator('elevator data3', { lifts: 4, floors: 80, people: 900, seed: 3 });

salesman('tsp map1', { cities: 13, threads: 2, seed: 2 });
salesman('tsp map2', { cities: 13, threads: 2, seed: 3 });

raytracer('raytracer A, 5 threads', { size: 150, threads: 5 });
raytracer('raytracer A, 10 threads', { size: 150, threads: 10 });
raytracer('raytracer B, 5 threads', { size: 500, threads: 5 });
raytracer('raytracer B, 10 threads', { size: 500, threads: 10 });

dgemm('colt dgemm 50 × 50', 50, 2);
