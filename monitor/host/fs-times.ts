/**
 * C13 for files. The kernel stamps what changes with a clock of its own, which does not leap and ticks every few ms:
 * no mapping of clocks tells on which side of a leap a file was written. So what the run itself changes is noted when
 * it takes effect: which times of the file it set, what the kernel wrote there, and at which moment of the run that
 * was. Where the program reads that time of a stat, it is told the time of that moment.
 */
import { dirname } from 'node:path';
import type { HostClock, HostDoubts, HostRequests } from './controller.ts';
import type { FsBinding, FsCall } from './fs-binding.ts';
import { absolutePath } from './fs-paths.ts';
import { type StatFields, UnreadTimes } from './fs-stats.ts';

/** Where Node's array of stat fields keeps seconds and, behind them, nanoseconds. */
const FIELDS = { read: 10, written: 12, changed: 14, born: 16 } as const;
type TimeField = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as TimeField[];
const DEVICE = 0;
const INODE = 7;
const SIZE = 8;
/** Length of one set of stat fields; statfs answers are shorter and carry no times. A watcher gets two sets. */
const STAT_FIELDS = 18;
/** The time is what the program set it to. */
const AS_IS = -1;

type TimedFile = string | number;

/** What is known of one time of a file, where the kernel shows the same; the latest comes first. */
interface Noted {
  readonly seconds: number;
  readonly rest: number;
  /** Of the file: two changes within one tick of the kernel's clock are told apart by it. */
  readonly size: number;
  /** A moment of the run, or {@link AS_IS}. */
  readonly moment: number;
}

type NotedTimes = Partial<Record<TimeField, readonly Noted[]>>;
/** A watcher is told of the time before as well. */
const MOST_NOTED = 4;

export class FileTimes {
  private readonly binding: FsBinding;
  private readonly raw: Readonly<Record<string, FsCall>>;
  private readonly controller: HostRequests & HostClock & HostDoubts;
  private root: object | null = null;
  /** Of the present run, by device and inode. */
  private notes = new Map<string, NotedTimes>();
  private readonly unread = new UnreadTimes();

  constructor(
    binding: FsBinding,
    raw: Readonly<Record<string, FsCall>>,
    controller: HostRequests & HostClock & HostDoubts,
  ) {
    this.binding = binding;
    this.raw = raw;
    this.controller = controller;
  }

  /** Something came into being here, and with it an entry of its folder. */
  made(path: string): void {
    this.note(this.look(path, true), NAMES);
    this.wroteFolderOf(path);
  }

  /** The folder in which this lies got, or lost, an entry. */
  wroteFolderOf(path: string): void {
    this.wrote(dirname(absolutePath(path)));
  }

  /** Its content changed: of a file the bytes, of a folder the entries. */
  wrote(target: TimedFile): void {
    this.note(this.look(target), ['written', 'changed']);
  }

  /** Something else of it changed. `link`: a link is meant itself. */
  marked(target: TimedFile, link = false): void {
    this.note(this.look(target, link), ['changed']);
  }

  /** It was read. The kernel notes that only now and then: mostly when it was written since. */
  read(target: TimedFile): void {
    const stats = this.look(target);
    if (!stats) return;
    const notes = this.of(stats);
    const [read, written] = [notes?.read?.[0], notes?.written?.[0]];
    const isNew = read
      ? !isSame(read, stats, FIELDS.read)
      : msOf(stats, FIELDS.read) >= this.controller.epoch();
    if (isNew || (read && written && read.moment <= written.moment)) this.note(stats, ['read']);
  }

  /** The program set when it was read and written. */
  set(target: TimedFile, link = false): void {
    const stats = this.look(target, link);
    this.note(stats, ['read', 'written'], AS_IS);
    this.note(stats, ['changed']);
  }

  /** Puts the times of the run into an answer. */
  tell(stats: StatFields): void {
    for (let at = 0; at + STAT_FIELDS <= stats.length; at += STAT_FIELDS) {
      const key = keyOf(stats, at);
      const size = Number(stats[at + SIZE]);
      this.of(stats, at);
      for (const name of NAMES)
        this.tellOne(stats, at + FIELDS[name], size, () => this.notes.get(key)?.[name]);
    }
  }

  private tellOne(
    stats: StatFields,
    at: number,
    size: number,
    notes: () => readonly Noted[] | undefined,
  ): void {
    const { controller } = this;
    const real = msOf(stats, at);
    const stamp = { seconds: Number(stats[at]), rest: Number(stats[at + 1]) };
    const look = (): Noted | undefined => {
      const alike = (notes() ?? []).filter(
        ({ seconds, rest }) => seconds === stamp.seconds && rest === stamp.rest,
      );
      return alike.find((each) => each.size === size) ?? alike[0];
    };
    const known = look();
    // Set by the program, or older than the run.
    if (known ? known.moment === AS_IS : real <= controller.epoch()) return;
    const { root } = controller;
    const { time, doubtful } = known ? { time: 0, doubtful: false } : controller.virtualTime(real);
    this.unread.put(stats, at, () => {
      if (controller.root !== root) return real;
      // A watcher may see a change before it is noted.
      const noted = look();
      if (noted) return noted.moment === AS_IS ? real : controller.timeOf(noted.moment);
      if (doubtful) controller.doubt('file times of another process');
      return time;
    });
  }

  private of(stats: StatFields, at = 0): NotedTimes | undefined {
    if (this.root !== this.controller.root) {
      this.root = this.controller.root;
      this.notes = new Map();
      this.unread.forget();
    }
    return this.notes.get(keyOf(stats, at));
  }

  private note(
    stats: StatFields | null,
    fields: readonly TimeField[],
    moment = this.controller.moment(),
  ): void {
    if (!stats) return;
    const notes = this.of(stats) ?? {};
    for (const name of fields) {
      const at = FIELDS[name];
      const noted = {
        seconds: Number(stats[at]),
        rest: Number(stats[at + 1]),
        size: Number(stats[SIZE]),
        moment,
      };
      notes[name] = [noted, ...(notes[name] ?? [])].slice(0, MOST_NOTED);
    }
    this.notes.set(keyOf(stats, 0), notes);
  }

  /** Null for what is gone, and where nobody cares for times. */
  private look(target: TimedFile, link = false): Float64Array | null {
    const { binding, raw, controller } = this;
    if (!controller.rules.clocks) return null;
    try {
      const stats =
        typeof target === 'number'
          ? raw['fstat']!.call(binding, target, false, undefined, true)
          : raw[link ? 'lstat' : 'stat']!.call(binding, target, false, undefined, false);
      return stats instanceof Float64Array ? stats : null;
    } catch {
      return null;
    }
  }
}

const keyOf = (stats: StatFields, at: number): string => `${stats[at + DEVICE]}:${stats[at + INODE]}`;

const isSame = ({ seconds, rest }: Noted, stats: StatFields, at: number): boolean =>
  Number(stats[at]) === seconds && Number(stats[at + 1]) === rest;

const msOf = (stats: StatFields, at: number): number => Number(stats[at]) * 1e3 + Number(stats[at + 1]) / 1e6;
