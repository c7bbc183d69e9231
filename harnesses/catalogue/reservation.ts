/**
 * Seats of a cinema, check then act.
 * Bad: while one customer's card is charged, another finds the same seat free.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Cinema {
  readonly seats = new Map<string, string>();
  readonly sold: string[] = [];
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async reserve(seat: string, customer: string): Promise<boolean> {
    if (this.seats.has(seat)) return false;
    await this.charge(customer);
    this.seats.set(seat, customer);
    this.sold.push(customer);
    return true;
  }

  async charge(customer: string): Promise<void> {
    await writeFile(join(this.dir, `charge-${customer}.txt`), '12.50');
  }
}

class HoldingCinema extends Cinema {
  override async reserve(seat: string, customer: string): Promise<boolean> {
    if (this.seats.has(seat)) return false;
    this.seats.set(seat, customer);
    await this.charge(customer);
    this.sold.push(customer);
    return true;
  }
}

twins<Cinema>({
  name: 'reservation',
  bad: ({ dir }) => new Cinema(dir),
  ok: ({ dir }) => new HoldingCinema(dir),
  tasks: {
    ann: (cinema) => cinema.reserve('F7', 'ann'),
    bob: async (cinema) => {
      await sleep(80);
      await cinema.reserve('F7', 'bob');
    },
  },
  check: (cinema) => assert.deepEqual(cinema.sold, ['ann']),
  expect: { pattern: 'RWW', entityMatch: 'F7' },
});
