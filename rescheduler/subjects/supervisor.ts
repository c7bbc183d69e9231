/**
 * Watches the processes of a test command by the notes that they leave: what was recorded so far, and what runs now. When
 * nothing comes any more, those that do not come to their end are ended alone, so that they cost nothing but themselves.
 */
import { closeSync, constants, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type ProcessRecord, readWhole } from './job.ts';

/** What a process runs at present. */
export interface Current {
  readonly name: string;
  /** The gate gave it up: it goes on in real time, as it would without us. */
  readonly native: boolean;
}

const CURRENT = '.current';
const { O_CREAT, O_WRONLY } = constants;

/** How long the note of this process is. */
let longest = 0;

/** Called in the process itself: tells what runs there from now on. */
export function tellCurrent(folder: string, current: Current): void {
  const text = JSON.stringify(current);
  longest = Math.max(longest, Buffer.byteLength(text));
  // Written over: some file systems flush each file that is written anew, and there is one note for each test.
  const note = Buffer.alloc(longest, ' ');
  note.write(text);
  try {
    const fd = openSync(join(folder, process.pid + CURRENT), O_WRONLY | O_CREAT);
    try {
      writeSync(fd, note);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The command is over and nobody reads it.
  }
}

/** A test that goes on in real time may be silent so many times longer than one under the gate. */
const NATIVE = 5;
/** A command that writes something now and then may go on so many times longer without a sign of its tests. */
const CHATTING = 10;

/** Name of a note, unique among all; whose it is comes first. */
export const noteName = (pid: number, key: string): string => `${pid}-${key}`;

const pidOf = (name: string): number => Number.parseInt(name, 10);

/** What the supervisor needs of the world; tests give their own. */
export interface World {
  now(): number;
  kill(pid: number): void;
}

const REAL: World = {
  now: () => performance.now(),
  kill(pid) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  },
};

export class Supervisor {
  /** Test cases recorded so far. */
  recorded = 0;
  /** Processes that were ended, by their notes, with the silence after which they were, ms. */
  private readonly ended = new Map<string, number>();
  private readonly folder: string;
  private readonly quietMs: number;
  private readonly mostMs: number;
  private readonly world: World;
  /** Note of each process → the note of the process around it. */
  private readonly around = new Map<string, string | null>();
  private running: readonly string[] = [];
  private signs = '';
  private lastSign: number;
  private lastWord: number;

  /** `quietMs`: how long all of them may be silent while the gate has what runs; `mostMs`: in any case. */
  constructor(folder: string, quietMs: number, world: World = REAL, mostMs = Number.POSITIVE_INFINITY) {
    this.mostMs = mostMs;
    this.folder = folder;
    this.quietMs = quietMs;
    this.world = world;
    this.lastSign = this.lastWord = world.now();
  }

  /** The command has written something. */
  heard(): void {
    this.lastWord = this.world.now();
  }

  /** Looks at the notes, and ends what does not end. False: nothing is left that could be ended alone. */
  look(): boolean {
    this.read();
    const time = this.world.now();
    const isNative = this.running.some((name) => this.currentOf(name)?.native);
    const limit = Math.min(this.quietMs * (isNative ? NATIVE : 1), this.mostMs);
    const silent = time - Math.max(this.lastSign, this.lastWord);
    if (silent < limit && time - this.lastSign < CHATTING * limit) return true;
    const stuck = this.leaves();
    for (const name of stuck) {
      this.ended.set(name, limit);
      this.world.kill(pidOf(name));
    }
    // Whoever waits for them gets as long again.
    this.lastSign = time;
    return stuck.length > 0;
  }

  /** What runs now, for people; null: nothing is known to. */
  get current(): string | null {
    for (const name of this.leaves()) {
      const current = this.currentOf(name);
      if (current) return current.name;
    }
    return null;
  }

  /** Why the process of this note was ended, for people; null: it was not. */
  whyEnded(name: string): string | null {
    const ms = this.ended.get(name);
    if (ms === undefined) return null;
    const current = this.currentOf(name);
    const where = current ? ` in '${current.name}'` : '';
    return `it did not end${where} and was killed after ${ms / 1000} s without a sign: give it more with ${ms < this.mostMs ? '--command-timeout' : 'a larger --budget'}; what it had done before counts`;
  }

  private read(): void {
    const names = readdirSync(this.folder);
    const ended = new Set<string>();
    const began: string[] = [];
    let recorded = 0;
    for (const name of names) {
      const extension = extname(name);
      const key = name.slice(0, -extension.length);
      if (extension === '.case') recorded += 1;
      else if (extension === '.exit') ended.add(key);
      else if (extension === '.process') began.push(key);
    }
    for (const name of began)
      if (!this.around.has(name))
        this.around.set(name, readWhole<ProcessRecord>(join(this.folder, `${name}.process`)).within);
    this.recorded = recorded;
    this.running = began.filter((name) => !ended.has(name) && !this.ended.has(name));
    const signs = [names.length, ...this.running.map((name) => this.changed(name))].join();
    if (signs !== this.signs) this.lastSign = this.world.now();
    this.signs = signs;
  }

  /** Running processes that wait for no other one of them. */
  private leaves(): string[] {
    const waiting = new Set<string | null>();
    for (const name of this.running)
      for (let at = this.around.get(name) ?? null; at !== null; at = this.around.get(at) ?? null)
        waiting.add(at);
    return this.running.filter((name) => !waiting.has(name));
  }

  private changed(name: string): number {
    return statSync(this.fileOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  private currentOf(name: string): Current | null {
    try {
      return JSON.parse(readFileSync(this.fileOf(name), 'utf8')) as Current;
    } catch {
      // None, or one that is being written.
      return null;
    }
  }

  private fileOf(name: string): string {
    return join(this.folder, pidOf(name) + CURRENT);
  }
}
