/**
 * The benchmark `raytracer` of the Java Grande forum: threads render the rows of a scene of 64 spheres in turn and add up
 * what they saw. Bad: each adds its sum to `checksum1` under a lock of its own. Good: under one lock.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, float64, int32, list, Mutex, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from './shared.ts';

interface Sphere {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
}

/** A lattice of four by four by four. */
const SPHERES: readonly Sphere[] = Array.from({ length: 64 }, (_, at) => ({
  x: ((at & 3) - 1.5) * 8,
  y: (((at >> 2) & 3) - 1.5) * 8,
  z: 20 + (at >> 4) * 8,
  radius: 3,
}));

/** Brightness 0..255 of what the ray through (u, v), seen from the origin, meets first. */
function trace(u: number, v: number): number {
  const norm = Math.hypot(u, v, 1);
  const [dx, dy, dz] = [u / norm, v / norm, 1 / norm];
  let nearest = Number.POSITIVE_INFINITY;
  let brightness = 0;
  for (const { x, y, z, radius } of SPHERES) {
    const along = dx * x + dy * y + dz * z;
    const inside = along * along - (x * x + y * y + z * z) + radius * radius;
    if (inside < 0) continue;
    const distance = along - Math.sqrt(inside);
    if (distance <= 0 || distance >= nearest) continue;
    nearest = distance;
    // How much the surface there looks towards the eye.
    brightness = Math.round(255 * Math.max(0, (along - distance) / radius));
  }
  return brightness;
}

function pixel(size: number, row: number, column: number): number {
  return trace((column / size - 0.5) * 1.2, (row / size - 0.5) * 1.2);
}

export interface RaytracerOptions {
  /** Width and height of the picture. */
  readonly size: number;
  readonly threads: number;
}

/** Registers `<name>/bad` and `<name>/ok`. */
export function raytracer(name: string, { size, threads }: RaytracerOptions): void {
  const fields = {
    lock: list(Mutex.part, threads),
    checksum1: int32(),
    picture: float64(size * size),
  };
  type Fields = AttachedFields<typeof fields>;

  class Bench {
    readonly memory: Fields;

    constructor(memory: Fields) {
      this.memory = memory;
    }

    render(self: number): void {
      const { picture } = this.memory;
      let checksum = 0;
      for (let row = self; row < size; row += threads)
        for (let column = 0; column < size; column++) {
          const brightness = pixel(size, row, column);
          picture[row * size + column] = brightness;
          checksum += brightness;
        }
      this.lockOf(self).runExclusive(() => this.addChecksum(checksum));
    }

    protected lockOf(self: number): Mutex {
      return this.memory.lock[self]!;
    }

    private addChecksum(checksum: number): void {
      this.memory.checksum1[0] = this.memory.checksum1[0]! + checksum;
    }
  }

  class SafeBench extends Bench {
    protected override lockOf(_self: number): Mutex {
      return this.memory.lock[0]!;
    }
  }

  sharedTwins<Bench>({
    name,
    bad: record(fields, (memory) => new Bench(memory)),
    ok: record(fields, (memory) => new SafeBench(memory)),
    threads: Object.fromEntries(
      Array.from({ length: threads }, (_, self) => [`renderer${self}`, (bench: Bench) => bench.render(self)]),
    ),
    check: ({ memory: { checksum1 } }) => {
      let expected = 0;
      for (let at = 0; at < size * size; at++) expected += pixel(size, Math.floor(at / size), at % size);
      assert.equal(checksum1[0], expected, 'validation');
    },
    expect: { pattern: 'RWW', entity: 'checksum1' },
  });
}
