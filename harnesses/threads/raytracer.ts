import { raytracer } from '../lib/raytracer.ts';

raytracer('raytracer', { size: 6, threads: 2 });
