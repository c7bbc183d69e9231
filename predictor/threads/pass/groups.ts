/** Witnesses by entity, then by shape: lists of groups, and lists of rows, made as the rows come. */
import { Row, Witnesses } from './witnesses.ts';

/** A group is a row itself, of an entity and a shape; this column is its first witness. */
const HEAD = Row.First;

export class Groups {
  readonly witnesses: Witnesses;
  private readonly groups = new Witnesses(5);
  private readonly ofEntity: Int32Array;

  /** `stride`: columns of a witness. */
  constructor(entities: number, stride: number) {
    this.witnesses = new Witnesses(stride);
    this.ofEntity = new Int32Array(entities).fill(-1);
  }

  /** Puts a new witness into its group. */
  add(row: number, entity: number, shape: number): void {
    const group = this.groups.find(entity, shape, 0);
    const { rows } = this.groups;
    if (this.groups.isNew) {
      rows[group + Row.Next] = this.ofEntity[entity]!;
      rows[group + HEAD] = -1;
      this.ofEntity[entity] = group;
    }
    this.witnesses.rows[row + Row.Next] = rows[group + HEAD]!;
    rows[group + HEAD] = row;
  }

  /** The first group of an entity; -1: none. */
  first(entity: number): number {
    return this.ofEntity[entity]!;
  }

  next(group: number): number {
    return this.groups.rows[group + Row.Next]!;
  }

  shape(group: number): number {
    return this.groups.rows[group + Row.Shape]!;
  }

  /** The first witness of a group. */
  head(group: number): number {
    return this.groups.rows[group + HEAD]!;
  }
}
