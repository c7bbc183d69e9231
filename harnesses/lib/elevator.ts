/**
 * The benchmark `elevator`: lifts carry people through a building, each lift a thread, all in step with one clock.
 * A lift looks at a floor without the floor's lock and looks again when it has it: violations of atomicity that are
 * meant to be.
 */
import assert from 'node:assert/strict';
import { Barrier, int32, list, Monitor, record } from '../../monitor/threads/api.ts';
import { shared } from './shared.ts';

export interface ElevatorOptions {
  readonly lifts: number;
  readonly floors: number;
  /** How many people want to go somewhere. */
  readonly people: number;
  /** Which people. */
  readonly seed: number;
}

interface Trip {
  readonly from: number;
  readonly to: number;
}

/** The same trips for the same seed; nobody stays where they are. */
function trips({ floors, people, seed }: ElevatorOptions): Trip[] {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  return Array.from({ length: people }, () => {
    const from = random(floors);
    return { from, to: (from + 1 + random(floors - 1)) % floors };
  });
}

/** How many fit into a lift. */
const CABIN = 2;

export function elevator(name: string, options: ElevatorOptions): void {
  const { lifts, floors, people } = options;
  const wanted = trips(options);
  const memory = record({
    clock: Barrier.part(lifts),
    control: Monitor.part,
    arrived: int32(),
    /** How many wait on a floor, and where everybody is: 1 + floor, or 0 in a lift. */
    floor: list(record({ monitor: Monitor.part, waiting: int32() }), floors),
    place: int32(people),
    /** How often each was let out at last. */
    served: int32(people),
  });
  type Building = ReturnType<typeof memory.attach>;

  /** One lift; who is inside is known to it alone. */
  class Lift {
    private readonly building: Building;
    private readonly cabin: number[] = [];
    private at: number;
    private step = 1;

    constructor(building: Building, self: number) {
      this.building = building;
      this.at = self % floors;
    }

    run(): void {
      for (let all = false; !all; ) {
        this.letOut();
        this.letIn();
        this.move();
        // Between the two nobody changes anything, and all lifts see the same.
        this.building.clock.arriveAndWait();
        all = this.building.arrived[0] === people;
        this.building.clock.arriveAndWait();
      }
    }

    private letOut(): void {
      const { control, arrived, served, place } = this.building;
      for (const person of this.cabin.filter((inside) => wanted[inside]!.to === this.at)) {
        this.cabin.splice(this.cabin.indexOf(person), 1);
        place[person] = 1 + this.at;
        served[person]!++;
        control.synchronized(() => arrived[0]!++);
      }
    }

    private letIn(): void {
      const { monitor, waiting } = this.building.floor[this.at]!;
      while (this.cabin.length < CABIN && waiting[0]! > 0)
        monitor.synchronized(() => {
          if (waiting[0] === 0) return;
          waiting[0]!--;
          this.cabin.push(this.pick());
        });
    }

    /** Somebody who waits here. */
    private pick(): number {
      const { place, served } = this.building;
      for (let person = 0; person < people; person++)
        if (wanted[person]!.from === this.at && place[person] === 1 + this.at && served[person] === 0) {
          place[person] = 0;
          return person;
        }
      throw new Error(`nobody waits on floor ${this.at}`);
    }

    private move(): void {
      if (this.at + this.step < 0 || this.at + this.step >= floors) this.step = -this.step;
      this.at += this.step;
    }
  }

  shared<Building>({
    name,
    memory,
    initial: ({ floor, place }) => {
      for (const [person, { from }] of wanted.entries()) {
        place[person] = 1 + from;
        floor[from]!.waiting[0]!++;
      }
    },
    threads: Object.fromEntries(
      Array.from({ length: lifts }, (_, self) => [
        `lift${self}`,
        (building: Building) => new Lift(building, self).run(),
      ]),
    ),
    check: ({ arrived, served, place, floor }) => {
      assert.equal(arrived[0], people);
      assert.ok([...served].every((times) => times === 1));
      assert.deepEqual(
        [...place],
        wanted.map(({ to }) => 1 + to),
      );
      assert.ok(floor.every(({ waiting }) => waiting[0] === 0));
    },
    expect: { bug: false },
  });
}
