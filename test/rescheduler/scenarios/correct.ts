/** Correct components: nothing that overlaps in them ever goes wrong, and one rule each keeps them from looking as if it did. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Scenario } from '../../../harnesses/scenario.ts';
import type { OracleRules } from '../../../rescheduler/scenarios/rules.ts';

/** Something of which nobody knows how long it takes. */
const io = (): Promise<unknown> => stat('.');

interface Correct {
  readonly needs: keyof OracleRules;
  readonly spec: Scenario;
}

class Documents {
  readonly all: unknown[] = [];

  async create(): Promise<unknown> {
    await io();
    const made = { id: randomUUID(), at: Date.now(), token: Math.random().toString(36) };
    this.all.push(made);
    return made;
  }
}

class Register {
  readonly names = new Map<string, boolean>();
  private began = 0;

  async enter(name: string): Promise<string> {
    const place = this.began++ === 0 ? 'first' : 'second';
    await io();
    this.names.set(name, true);
    return place;
  }
}

class Failing {
  readonly began: string[] = [];
  private attempts = 0;

  async attempt(name: string): Promise<void> {
    this.began.push(name);
    await io();
    throw new RangeError(`attempt ${++this.attempts} failed`);
  }
}

/** Buffers are used again by the next call: whoever wants to keep what he got has to copy it. */
class Buffers {
  private readonly free: string[][] = [];

  async fill(text: string): Promise<readonly string[]> {
    const buffer = this.free.pop() ?? [''];
    await io();
    buffer[0] = text;
    this.free.push(buffer);
    return buffer;
  }
}

/** Answers before what it does is done: who asks then sees it, or does not see it yet. */
class Eventually {
  private wanted = 0;
  private done = 0;

  async write(): Promise<void> {
    this.wanted += 1;
    void this.work();
  }

  async read(): Promise<number> {
    await io();
    return this.done;
  }

  private async work(): Promise<void> {
    await io();
    await io();
    this.done = this.wanted;
  }
}

class Mailbox {
  private waiting: ((letter: string) => void) | null = null;
  private letter: string | null = null;

  async take(): Promise<{ letter: string; waited: boolean }> {
    await io();
    if (this.letter !== null) return { letter: this.letter, waited: false };
    const letter = await new Promise<string>((resolve) => {
      this.waiting = resolve;
    });
    return { letter, waited: true };
  }

  async put(letter: string): Promise<void> {
    await io();
    this.letter = letter;
    this.waiting?.(letter);
  }
}

/** Says no while it is at work. */
export class Exclusive {
  count = 0;
  private busy = false;

  async run(): Promise<void> {
    if (this.busy) throw Object.assign(new Error('at work'), { code: 'EBUSY' });
    this.busy = true;
    await io();
    this.count += 1;
    this.busy = false;
  }
}

class Numbers {
  readonly made: number[] = [];
  private last = 0;

  async create(): Promise<{ id: number }> {
    const id = ++this.last;
    await io();
    this.made.push(id);
    return { id };
  }
}

const NAMES = [['a'], ['b']] as const;

export const correct: readonly Correct[] = [
  {
    needs: 'masks',
    spec: {
      name: 'names by chance, and the time of day',
      setup: () => new Documents(),
      operations: { create: { run: (it: Documents) => it.create() } },
      observe: ({ all }) => all.length,
    },
  },
  {
    needs: 'unordered',
    spec: {
      name: 'a map that is filled as answers come',
      setup: () => new Register(),
      operations: { enter: { run: (it: Register, name: string) => it.enter(name), args: NAMES } },
      observe: (it) => it.names,
    },
  },
  {
    needs: 'errorTexts',
    spec: {
      name: 'a number in the text of an error',
      setup: () => new Failing(),
      operations: { attempt: { run: (it: Failing, name: string) => it.attempt(name), args: NAMES } },
      observe: (it) => it.began,
    },
  },
  {
    needs: 'copies',
    spec: {
      name: 'a result that is used again',
      setup: () => new Buffers(),
      operations: { fill: { run: (it: Buffers, text: string) => it.fill(text), args: NAMES } },
      observe: () => null,
    },
  },
  {
    needs: 'rests',
    spec: {
      name: 'something that is done a little later',
      setup: () => new Eventually(),
      operations: {
        write: { run: (it: Eventually) => it.write() },
        read: { run: (it: Eventually) => it.read(), reads: true },
      },
      observe: () => null,
    },
  },
  {
    needs: 'blocks',
    spec: {
      name: 'a call that waits for another one',
      setup: () => new Mailbox(),
      operations: {
        take: { run: (it: Mailbox) => it.take(), alone: 'takers' },
        put: { run: (it: Mailbox, letter: string) => it.put(letter), args: [['a']] },
      },
      observe: () => null,
    },
  },
  {
    needs: 'refusals',
    spec: {
      name: 'a call that is refused',
      setup: () => new Exclusive(),
      operations: { run: { run: (it: Exclusive) => it.run(), refuses: ['EBUSY'] } },
      observe: ({ count }) => count,
    },
  },
  {
    needs: 'counters',
    spec: {
      name: 'numbers that calls get as they begin',
      setup: () => new Numbers(),
      operations: { create: { run: (it: Numbers) => it.create() } },
      observe: ({ made }: Numbers) => made.map((id) => ({ id })),
    },
  },
];
