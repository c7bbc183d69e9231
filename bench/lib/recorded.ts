/**
 * The ratios of short measurements as they were recorded (`bench/recorded.json`), and what is much worse now. Ratios
 * alone: machines differ, but the peer or floor of each row was measured on the same one, in the same rounds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { benchFile } from './ours.ts';
import { type Row, ratioOf } from './rows.ts';

/** By so much worse than recorded a ratio may be: a busy machine disturbs, but not as much as that. */
const MOST = 2;
const FILE = benchFile('recorded.json');

interface Recorded {
  /** For whoever reads it: the machine that they were recorded on. */
  readonly machine: string;
  /** By case, then by row. */
  readonly ratios: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const read = (): Recorded => JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;
const compared = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ peer, isFloor }) => peer !== null && !isFloor);

/** Rates are the better the higher they are, and times the lower. */
const isRate = ({ unit }: Row): boolean => unit.endsWith('/s');

/** One line for each row of a case that is much worse than recorded, or that is not there on one side. */
export function worse(name: string, rows: readonly Row[]): string[] {
  const recorded = read().ratios[name] ?? {};
  const found = compared(rows);
  const missing = Object.keys(recorded).filter((what) => !found.some((row) => row.what === what));
  return [
    ...missing.map((what) => `${what}: recorded, and not measured`),
    ...found.flatMap((row) => {
      const before = recorded[row.what];
      if (before === undefined) return [`${row.what}: not recorded (npm run bench -- --short --record)`];
      const ratio = ratioOf(row);
      const share = isRate(row) ? before / ratio : ratio / before;
      return share > MOST ? [`${row.what}: ×${figure(ratio)}, recorded ×${figure(before)}`] : [];
    }),
  ];
}

/** Of what is recorded already the worse one stays: one run is better than the next by chance. Delete it to begin anew. */
export function record(name: string, rows: readonly Row[]): void {
  const { ratios } = read();
  const before = ratios[name] ?? {};
  const entries = compared(rows).map((row): [string, number] => {
    const ratio = Number(figure(ratioOf(row)));
    const worst = isRate(row) ? Math.min : Math.max;
    return [row.what, worst(ratio, before[row.what] ?? ratio)];
  });
  const of = Object.fromEntries(entries);
  const machine = `${platform()} ${arch()}, ${cpus().length} processors, Node ${process.version}`;
  writeFileSync(FILE, `${JSON.stringify({ machine, ratios: { ...ratios, [name]: of } }, null, 2)}\n`);
}

const figure = (ratio: number): string => ratio.toPrecision(3);
