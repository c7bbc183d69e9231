import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a pool asks of the maker of its objects. */
export interface Factory<T> {
  make(): Promise<T>;
  validate(object: T): Promise<void>;
  activate(object: T): Promise<void>;
  passivate(object: T): Promise<void>;
}

/** A pooled object: a scratch file of one brand. */
export interface Scratch {
  readonly path: string;
  readonly brand: string;
}

/** Makes scratch files and refuses those of another brand. */
export class ScratchFactory implements Factory<Scratch> {
  readonly #dir: string;
  readonly #brand: string;
  #made = 0;

  constructor(dir: string, brand: string) {
    this.#dir = dir;
    this.#brand = brand;
  }

  async make(): Promise<Scratch> {
    this.#made += 1;
    const path = join(this.#dir, `${this.#brand}-${this.#made}.scratch`);
    await writeFile(path, this.#brand);
    return { path, brand: this.#brand };
  }

  async validate(object: Scratch): Promise<void> {
    this.#assertOwn(object);
    await readFile(object.path);
  }

  async activate(object: Scratch): Promise<void> {
    this.#assertOwn(object);
    await readFile(object.path);
  }

  async passivate(object: Scratch): Promise<void> {
    this.#assertOwn(object);
    await readFile(object.path);
  }

  #assertOwn(object: Scratch): void {
    if (object.brand !== this.#brand)
      throw new TypeError(`${object.brand} object given to ${this.#brand} factory`);
  }
}
