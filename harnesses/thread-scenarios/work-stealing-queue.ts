/**
 * The work-stealing queue of the harnesses of threads, declared: its owner pushes and pops, one thing after the other, while
 * thieves steal. Bad: the owner looks before it announces what it takes. Good: the other way round.
 *
 * A thief may go away with nothing although there is something, as the owner has announced that it takes it and then leaves it to
 * another thief. That is as if he had not come, which `refuses` says.
 */
import { type AttachedFields, allocate, attach, int32, Mutex, record } from '../../monitor/threads/api.ts';
import { threadScenario } from '../api.ts';

const SIZE = 4;
const NOTHING = 0;
const fields = { lock: Mutex.part, head: int32(), tail: int32(), items: int32(SIZE) };

class Deque {
  readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  push(item: number): void {
    const { tail, items } = this.memory;
    const at = tail[0]!;
    items[at % SIZE] = item;
    tail[0] = at + 1;
  }

  pop(): number {
    const { head, tail } = this.memory;
    const last = tail[0]! - 1;
    if (head[0]! > last) return NOTHING;
    tail[0] = last;
    return this.item(last);
  }

  steal(): number {
    const { lock, head, tail } = this.memory;
    return lock.runExclusive(() => {
      const first = head[0]!;
      head[0] = first + 1;
      if (first < tail[0]!) return this.item(first);
      head[0] = first;
      return NOTHING;
    });
  }

  left(): number[] {
    const { head, tail } = this.memory;
    return Array.from({ length: tail[0]! - head[0]! }, (_, at) => this.item(head[0]! + at));
  }

  protected item(at: number): number {
    return this.memory.items[at % SIZE]!;
  }
}

class SafeDeque extends Deque {
  /** Announces that it takes the last item, then looks whether a thief was faster. */
  override pop(): number {
    const { lock, head, tail } = this.memory;
    const last = tail[0]! - 1;
    tail[0] = last;
    if (head[0]! <= last) return this.item(last);
    tail[0] = last + 1;
    return lock.runExclusive(() => {
      tail[0] = last;
      if (head[0]! <= last) return this.item(last);
      tail[0] = last + 1;
      return NOTHING;
    });
  }
}

function loot(item: number): number {
  if (item === NOTHING) throw Object.assign(new Error('nothing to steal'), { code: 'ENOENT' });
  return item;
}

for (const [name, Class] of Object.entries({ bad: Deque, ok: SafeDeque })) {
  const part = record(fields, (memory) => new Class(memory));
  threadScenario({
    name: `work-stealing queue/${name}`,
    memory: () => {
      const memory = allocate(part);
      const deque = attach(part, memory);
      deque.push(1);
      return memory;
    },
    attach: (memory) => attach(part, memory),
    operations: {
      push: { run: (deque, item: number) => deque.push(item), args: [[2]], alone: 'owner' },
      pop: { run: (deque) => deque.pop(), alone: 'owner' },
      steal: { run: (deque) => loot(deque.steal()), refuses: ['ENOENT'] },
    },
    observe: (deque) => deque.left(),
  });
}
