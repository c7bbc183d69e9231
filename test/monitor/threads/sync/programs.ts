/** Programs that use the locks of `unweave/threads` as they are meant to be used; each must end well in any order. */
import assert from 'node:assert/strict';
import { threadHarness } from '../../../../harnesses/api.ts';
import {
  allocate,
  attach,
  Barrier,
  CountDownLatch,
  int32,
  Monitor,
  Mutex,
  type Part,
  ReadWriteLock,
  record,
  Semaphore,
} from '../../../../monitor/threads/api.ts';

function program<S>(
  name: string,
  part: Part<S>,
  threads: Record<string, (state: S) => unknown>,
  check: (state: S) => void,
): void {
  threadHarness({
    name,
    memory: () => allocate(part),
    attach: (buffer) => attach(part, buffer),
    threads,
    check,
  });
}

/** The same body in several threads. */
const times = <S>(count: number, body: (state: S, self: number) => unknown) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, self) => [`t${self}`, (state: S) => body(state, self)] as const),
  );

const ROUNDS = 500;

program(
  'a mutex excludes',
  record({ lock: Mutex.part, total: int32() }),
  times(3, ({ lock, total }) => {
    for (let round = 0; round < ROUNDS; round++) lock.runExclusive(() => total[0]!++);
  }),
  ({ total }) => assert.equal(total[0], 3 * ROUNDS),
);

program(
  'tryLock takes a free mutex only',
  record({ lock: Mutex.part, total: int32(), tries: int32() }),
  times(2, ({ lock, total, tries }) => {
    for (let round = 0; round < ROUNDS; round++) {
      Atomics.add(tries, 0, 1);
      while (!lock.tryLock()) Atomics.wait(tries, 0, -1);
      total[0]!++;
      lock.unlock();
    }
  }),
  ({ total }) => assert.equal(total[0], 2 * ROUNDS),
);

program(
  'a monitor excludes and is re-entrant',
  record({ monitor: Monitor.part, total: int32() }),
  times(3, ({ monitor, total }) => {
    for (let round = 0; round < ROUNDS; round++)
      monitor.synchronized(() => monitor.synchronized(() => total[0]!++));
  }),
  ({ total }) => assert.equal(total[0], 3 * ROUNDS),
);

program(
  'wait and notify hand a turn to and fro',
  record({ monitor: Monitor.part, turn: int32(), passed: int32() }),
  times(2, ({ monitor, turn, passed }, self) => {
    for (let round = 0; round < ROUNDS; round++)
      monitor.synchronized(() => {
        while (turn[0] !== self) monitor.wait();
        turn[0] = 1 - self;
        passed[0]!++;
        monitor.notify();
      });
  }),
  ({ passed }) => assert.equal(passed[0], 2 * ROUNDS),
);

const WAITERS = 3;
const waitingRoom = record({
  monitor: Monitor.part,
  waiting: int32(),
  called: int32(),
  order: int32(WAITERS),
});

program(
  'who waits longest is notified first, and a wait gives the monitor up however deep it is',
  waitingRoom,
  {
    ...times(WAITERS, ({ monitor, waiting, called, order }, self) => {
      for (let entered = false; !entered; )
        monitor.synchronized(() =>
          monitor.synchronized(() => {
            if (waiting[0] !== self) return;
            entered = true;
            waiting[0]!++;
            assert.equal(monitor.wait(), true);
            order[called[0]!++] = self;
            monitor.notifyAll();
          }),
        );
    }),
    caller: ({ monitor, waiting, called }) => {
      for (let all = false; !all; )
        monitor.synchronized(() => {
          all = waiting[0] === WAITERS;
        });
      for (let call = 0; call < WAITERS; call++) {
        monitor.synchronized(() => monitor.notify());
        for (let came = false; !came; )
          monitor.synchronized(() => {
            came = called[0]! > call;
          });
      }
    },
  },
  // The first to wake notifies all others, who are in the queue behind it.
  ({ order, called }) => {
    assert.equal(called[0], WAITERS);
    assert.equal(order[0], 0);
  },
);

program(
  'a wait that timed out has left the queue: the notification goes to the next one',
  record({ monitor: Monitor.part, stage: int32() }),
  {
    impatient: ({ monitor, stage }) =>
      monitor.synchronized(() => {
        stage[0] = 1;
        assert.equal(monitor.wait(1), false);
        stage[0] = 2;
      }),
    patient: ({ monitor, stage }) => {
      for (let inside = false; !inside; )
        monitor.synchronized(() => {
          if (stage[0]! < 1) return;
          inside = true;
          while (stage[0]! < 3) assert.equal(monitor.wait(), true);
        });
    },
    notifier: ({ monitor, stage }) => {
      for (let done = false; !done; )
        monitor.synchronized(() => {
          if (stage[0]! < 2) return;
          done = true;
          stage[0] = 3;
          monitor.notify();
        });
    },
  },
  ({ stage }) => assert.equal(stage[0], 3),
);

program(
  'readers share, writers do not',
  record({ lock: ReadWriteLock.part, together: Barrier.part(2), total: int32() }),
  times(2, ({ lock, together, total }) => {
    for (let round = 0; round < 50; round++) {
      // Both must be inside at once, or nobody gets past the barrier.
      lock.read(() => together.arriveAndWait());
      lock.write(() => total[0]!++);
      together.arriveAndWait();
    }
  }),
  ({ total }) => assert.equal(total[0], 100),
);

program(
  'a barrier lets nobody through before all are there, time after time',
  record({ barrier: Barrier.part(3), at: int32(3), last: int32() }),
  times(3, ({ barrier, at, last }, self) => {
    for (let round = 1; round <= 200; round++) {
      at[self] = round;
      if (barrier.arriveAndWait()) last[0]!++;
      for (const other of at) assert.ok(other >= round && other <= round + 1);
    }
  }),
  ({ last }) => assert.equal(last[0], 200),
);

program(
  'a semaphore has as many permits as it was given',
  record({ permits: Semaphore.part(2), inside: int32(), passed: int32() }),
  times(4, ({ permits, inside, passed }) => {
    for (let round = 0; round < 200; round++) {
      permits.acquire();
      assert.ok(Atomics.add(inside, 0, 1) < 2);
      Atomics.add(passed, 0, 1);
      Atomics.sub(inside, 0, 1);
      permits.release();
    }
  }),
  ({ passed }) => assert.equal(passed[0], 800),
);

program(
  'semaphores pass items from a producer to a consumer',
  record({ items: Semaphore.part(0), room: Semaphore.part(2), buffer: int32(2), sum: int32() }),
  {
    producer: ({ items, room, buffer }) => {
      for (let item = 1; item <= 300; item++) {
        room.acquire();
        buffer[item % 2] = item;
        items.release();
      }
    },
    consumer: ({ items, room, buffer, sum }) => {
      for (let item = 1; item <= 300; item++) {
        items.acquire();
        assert.equal(buffer[item % 2], item);
        sum[0]! += item;
        room.release();
      }
    },
  },
  ({ sum }) => assert.equal(sum[0], 45_150),
);

program(
  'a binary semaphore excludes',
  record({ lock: Semaphore.binary, total: int32() }),
  times(2, ({ lock, total }) => {
    for (let round = 0; round < ROUNDS; round++) {
      lock.acquire();
      total[0]!++;
      lock.release();
    }
  }),
  ({ total }) => assert.equal(total[0], 2 * ROUNDS),
);

program(
  'a latch opens after the last count, for all who wait and whoever comes later',
  record({ latch: CountDownLatch.part(2), work: int32(2), seen: int32(2) }),
  {
    ...times(2, ({ latch, work }, self) => {
      work[self] = 1;
      latch.countDown();
    }),
    ...Object.fromEntries(
      [0, 1].map((self) => [
        `waiter${self}`,
        ({ latch, work, seen }: { latch: CountDownLatch; work: Int32Array; seen: Int32Array }) => {
          assert.equal(latch.wait(), true);
          assert.equal(latch.wait(), true);
          seen[self] = work[0]! + work[1]!;
        },
      ]),
    ),
  },
  ({ seen }) => assert.deepEqual([...seen], [2, 2]),
);
