/**
 * A circle whose radius and circumference are changed by two locked methods (the Jinx note).
 * The reader's lock may be taken at four places of `resize`: before the first section, during it, between
 * the sections, during the second one. Bad: in exactly the second and the third of these orders `area`
 * meets the new radius with the old circumference.
 */
import assert from 'node:assert/strict';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { twins } from '../lib/twins.ts';

interface Shape {
  readonly radius: number;
  readonly circumference: number;
}

class Circle {
  shape: Shape;
  readonly drawing: string;
  readonly lock = new Mutex();

  constructor(drawing: string, radius: number) {
    this.drawing = drawing;
    this.shape = { radius, circumference: 2 * Math.PI * radius };
  }

  async area(): Promise<number> {
    return this.lock.runExclusive(() => 0.5 * this.shape.circumference * this.shape.radius);
  }

  async resize(radius: number): Promise<void> {
    await this.drawingExists();
    await this.lock.runExclusive(async () => {
      this.shape = { ...this.shape, radius };
      await this.drawingExists();
    });
    await this.drawingExists();
    await this.lock.runExclusive(async () => {
      this.shape = { ...this.shape, circumference: 2 * Math.PI * this.shape.radius };
      await this.drawingExists();
    });
  }

  /** One request to the host: a place where others may come in between. */
  async drawingExists(): Promise<void> {
    await access(this.drawing);
  }
}

class SafeCircle extends Circle {
  override async resize(radius: number): Promise<void> {
    await this.drawingExists();
    await this.lock.runExclusive(async () => {
      this.shape = { ...this.shape, radius };
      await this.drawingExists();
      this.shape = { ...this.shape, circumference: 2 * Math.PI * radius };
      await this.drawingExists();
    });
  }
}

interface State {
  readonly circle: Circle;
  area: number;
}

const stateOf = async (circle: Circle): Promise<State> => {
  await writeFile(circle.drawing, '<svg/>');
  return { circle, area: Number.NaN };
};

twins<State>({
  name: 'circle',
  bad: ({ dir }) => stateOf(new Circle(join(dir, 'circle.svg'), 2)),
  ok: ({ dir }) => stateOf(new SafeCircle(join(dir, 'circle.svg'), 2)),
  tasks: {
    resize: ({ circle }) => circle.resize(3),
    measure: async (state) => {
      await sleep(80);
      state.area = await state.circle.area();
    },
  },
  check: ({ area }) => {
    const possible = [2, 3].map((radius) => (Math.PI * radius ** 2).toFixed(6));
    assert.ok(possible.includes(area.toFixed(6)), `no circle ever had the area ${area}`);
  },
  expect: { pattern: 'WRW', entity: 'Circle#shape' },
});
