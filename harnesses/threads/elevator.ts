import { elevator } from '../lib/elevator.ts';

elevator('elevator', { lifts: 2, floors: 3, people: 3, seed: 1 });
