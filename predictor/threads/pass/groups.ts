/** Witnesses by entity, then by shape, in the order in which they came. */
import { Row, type Witnesses } from './witnesses.ts';

export interface Group {
  readonly shape: number;
  /** The first witness; the others follow by {@link Row.Next}. */
  readonly head: number;
}

export class Groups {
  private readonly witnesses: Witnesses;
  /** Rows sorted by entity, and where each entity begins. */
  private readonly rows: Int32Array;
  private readonly from: Int32Array;
  /** Of the entity at hand, by shape: the group's place in the list. */
  private readonly place = new Map<number, number>();

  constructor(witnesses: Witnesses, entities: number) {
    const { count, rows, stride } = witnesses;
    this.witnesses = witnesses;
    this.rows = new Int32Array(count);
    this.from = new Int32Array(entities + 1);
    for (let row = 0; row < count; row++) this.from[(rows[row * stride + Row.Slot]! % entities) + 1]!++;
    for (let entity = 0; entity < entities; entity++) this.from[entity + 1]! += this.from[entity]!;
    const next = this.from.slice();
    for (let row = 0; row < count; row++)
      this.rows[next[rows[row * stride + Row.Slot]! % entities]!++] = row * stride;
  }

  /** The groups of an entity. Calling it again makes the lists anew. */
  of(entity: number): Group[] {
    const { rows } = this.witnesses;
    const groups: Group[] = [];
    const tails: number[] = [];
    this.place.clear();
    for (let at = this.from[entity]!; at < this.from[entity + 1]!; at++) {
      const row = this.rows[at]!;
      const shape = rows[row + Row.Shape]!;
      rows[row + Row.Next] = -1;
      const place = this.place.get(shape);
      if (place === undefined) {
        this.place.set(shape, groups.push({ shape, head: row }) - 1);
        tails.push(row);
      } else {
        rows[tails[place]! + Row.Next] = row;
        tails[place] = row;
      }
    }
    return groups;
  }
}
