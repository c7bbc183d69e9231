/** What the parts of the laboratory found, and how parts add up. Plain JSON. */

/** An order that plain Node showed and that no gated run told. */
export interface Missed {
  readonly seed: number;
  readonly program: string;
  readonly order: readonly string[];
  /** How many of its words the best run told. */
  readonly reached: number;
  /** What forbids it, as far as that is known. */
  readonly why: string;
}

/** (a) What plain Node did, and whether our rules allow it. */
export interface Observation {
  readonly programs: number;
  readonly runs: number;
  /** Different orders, per program. */
  readonly orders: number;
  readonly missed: readonly Missed[];
  /** Gated runs that it took to follow the orders. */
  readonly tries: number;
  /** What the programs asked of the host. */
  readonly apis: readonly string[];
}

export const NOTHING_OBSERVED: Observation = {
  programs: 0,
  runs: 0,
  orders: 0,
  missed: [],
  tries: 0,
  apis: [],
};

export function addObservations(a: Observation, b: Observation): Observation {
  return {
    programs: a.programs + b.programs,
    runs: a.runs + b.runs,
    orders: a.orders + b.orders,
    missed: [...a.missed, ...b.missed],
    tries: a.tries + b.tries,
    apis: [...new Set([...a.apis, ...b.apis])].sort(),
  };
}

/** (c) Forced orders, and whether late answers alone make plain Node take them. */
export interface Realisation {
  readonly forced: number;
  readonly realised: number;
  readonly unrealised: readonly Unrealised[];
}

/** An order that the gate forced and that no plain run took. */
export interface Unrealised {
  readonly seed: number;
  readonly program: string;
  readonly order: readonly string[];
  /** How many of its words the best run told, and what that one told then. */
  readonly reached: number;
  readonly instead: readonly string[];
  /** What stands against it, as far as that is known. */
  readonly why: string;
}

export const NOTHING_REALISED: Realisation = { forced: 0, realised: 0, unrealised: [] };

export function addRealisations(a: Realisation, b: Realisation): Realisation {
  return {
    forced: a.forced + b.forced,
    realised: a.realised + b.realised,
    unrealised: [...a.unrealised, ...b.unrealised],
  };
}

/** (b) A rule, and a program that fails falsely when it is off; null where none does. */
export interface Necessary {
  readonly rule: string;
  readonly off: string;
  readonly program: string | null;
}
