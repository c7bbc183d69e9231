import type { EventColumns, EventKind } from '../../data/trace.ts';

/** Events as they are being recorded: columns that double when full. */
export class RecordedEvents {
  length = 0;
  private kind = new Uint8Array(1024);
  private activation = new Int32Array(1024);
  private site = new Int32Array(1024);
  private object = new Int32Array(1024);

  push(kind: EventKind, activation: number, site: number, object: number): void {
    if (this.length === this.kind.length) this.grow();
    const at = this.length++;
    this.kind[at] = kind;
    this.activation[at] = activation;
    this.site[at] = site;
    this.object[at] = object;
  }

  /** Takes the last one back. */
  pop(): void {
    this.length--;
  }

  /** The recorded columns, cut to their length. */
  finish(): EventColumns {
    const { length } = this;
    return {
      length,
      kind: this.kind.slice(0, length),
      activation: this.activation.slice(0, length),
      site: this.site.slice(0, length),
      object: this.object.slice(0, length),
    };
  }

  private grow(): void {
    const size = this.kind.length * 2;
    const widen = <T extends Uint8Array | Int32Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    this.kind = widen(this.kind, new Uint8Array(size));
    this.activation = widen(this.activation, new Int32Array(size));
    this.site = widen(this.site, new Int32Array(size));
    this.object = widen(this.object, new Int32Array(size));
  }
}
