// A lock of one word, which nobody told anybody about.
export class SpinLock {
  constructor(word) {
    this.word = word;
  }

  lock() {
    while (Atomics.compareExchange(this.word, 0, 0, 1) !== 0) Atomics.wait(this.word, 0, 1);
  }

  unlock() {
    Atomics.store(this.word, 0, 0);
    Atomics.notify(this.word, 0, 1);
  }
}
