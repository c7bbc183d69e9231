/**
 * A circle whose radius and circumference are changed by two locked methods (the Jinx note).
 * The reader's lock may be taken at four places of `resize`: before the first section, during it, between
 * the sections, during the second one. Bad: in exactly the second and the third of these orders `area`
 * meets the new radius with the old circumference.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { harness } from '../api.ts';

interface Shape {
  readonly radius: number;
  readonly circumference: number;
}

class Circle {
  shape: Shape;
  readonly dir: string;
  readonly lock = new Mutex();

  constructor(dir: string, radius: number) {
    this.dir = dir;
    this.shape = { radius, circumference: 2 * Math.PI * radius };
  }

  async area(): Promise<number> {
    return this.lock.runExclusive(() => 0.5 * this.shape.circumference * this.shape.radius);
  }

  async resize(): Promise<void> {
    const radius = Number(await readFile(join(this.dir, 'radius.txt'), 'utf8'));
    await this.lock.runExclusive(async () => {
      this.shape = { ...this.shape, radius };
      await this.log('radius');
    });
    await this.log('between');
    await this.lock.runExclusive(async () => {
      this.shape = { ...this.shape, circumference: 2 * Math.PI * this.shape.radius };
      await this.log('circumference');
    });
  }

  async log(step: string): Promise<void> {
    await writeFile(join(this.dir, `${step}.log`), 'done\n');
  }
}

class SafeCircle extends Circle {
  override async resize(): Promise<void> {
    const radius = Number(await readFile(join(this.dir, 'radius.txt'), 'utf8'));
    await this.lock.runExclusive(async () => {
      this.shape = { ...this.shape, radius };
      await this.log('radius');
      this.shape = { ...this.shape, circumference: 2 * Math.PI * radius };
      await this.log('circumference');
    });
  }
}

interface State {
  readonly circle: Circle;
  area: number;
}

const stateOf = async (circle: Circle): Promise<State> => {
  await writeFile(join(circle.dir, 'radius.txt'), '3');
  return { circle, area: Number.NaN };
};
const tasks = {
  resize: ({ circle }: State) => circle.resize(),
  measure: async (state: State) => {
    await sleep(80);
    state.area = await state.circle.area();
  },
};
const check = ({ area }: State) => {
  const possible = [2, 3].map((radius) => (Math.PI * radius ** 2).toFixed(6));
  assert.ok(possible.includes(area.toFixed(6)), `no circle ever had the area ${area}`);
};

harness({
  name: 'circle/bad',
  setup: ({ dir }) => stateOf(new Circle(dir, 2)),
  tasks,
  check,
  expect: { bug: true, pattern: 'WRW', entity: 'Circle#shape' },
});

harness({
  name: 'circle/ok',
  setup: ({ dir }) => stateOf(new SafeCircle(dir, 2)),
  tasks,
  check,
  expect: { bug: false },
});
