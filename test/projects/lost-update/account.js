import { readFile, writeFile } from 'node:fs/promises';

/** A balance kept in a file. */
export class Account {
  constructor(file) {
    this.file = file;
  }

  async balance() {
    return Number(await readFile(this.file, 'utf8'));
  }

  async deposit(amount) {
    const before = await this.balance();
    await writeFile(this.file, String(before + amount));
  }
}
