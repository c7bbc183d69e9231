/** The phases of the loop: immediates, ticks, microtasks, and what may come between them. */
import { Resolver } from 'node:dns';
import dns from 'node:dns/promises';
import { EventEmitter, on, once } from 'node:events';
import { stat } from 'node:fs';
import fsp from 'node:fs/promises';
import net from 'node:net';
import { setImmediate as immediate, scheduler, setTimeout as sleep } from 'node:timers/promises';
import { answer, type Case, impossible } from './program.ts';

const look = (callback: () => void) => stat('.', callback);

export const phases: Record<string, Case> = {
  'nothing between two immediates': {
    needs: 'phases',
    run: () =>
      answer((resolve, reject) => {
        let x = 0;
        for (let i = 0; i < 4; i++)
          look(() => {
            if (x === 1) reject(new Error('between the immediates'));
          });
        setImmediate(() => {
          x = 1;
        });
        setImmediate(() => {
          x = 2;
          resolve();
        });
      }),
  },
  'nested immediates come a round later': {
    run: () =>
      answer((resolve) => {
        const order: number[] = [];
        look(() => {});
        setImmediate(() => {
          order.push(1);
          setImmediate(() => {
            order.push(3);
            if (order.join() !== '1,2,3') impossible(order);
            resolve();
          });
        });
        setImmediate(() => order.push(2));
      }),
  },
  'no file between what a name server answers and its immediate': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        let answered = false;
        const between = () => {
          if (answered) impossible('behind the answer');
        };
        const resolver = new Resolver();
        resolver.setServers(['127.0.0.1:1']);
        resolver.resolve4('nowhere.invalid', () => {
          answered = true;
          setImmediate(() => {
            answered = false;
            resolve();
          });
        });
        for (let i = 0; i < 4; i++) look(() => look(between));
      }),
  },
  'no data between two files of one poll phase': {
    needs: 'phases',
    run: async (directory) => {
      let seen = '';
      const server = net.createServer((socket) => socket.end('x')).listen(`${directory}/socket`);
      await once(server, 'listening');
      const socket = net.connect(`${directory}/socket`);
      await once(socket, 'connect');
      for (const file of ['a', 'b'])
        look(() => {
          if (seen === 'file data') impossible(`${seen} ${file}`);
          seen ||= 'file';
          setImmediate(() => {
            seen = '';
          });
        });
      socket.on('data', () => {
        if (seen === 'file') seen = 'file data';
      });
      await once(socket, 'close');
      server.close();
    },
  },
  'an immediate made in a poll callback precedes its zero timer': {
    needs: 'phases',
    run: () =>
      answer((resolve, reject) =>
        look(() => {
          let ran = false;
          setTimeout(() => (ran ? resolve() : reject(new Error('timer first'))), 0);
          setImmediate(() => {
            ran = true;
          });
        }),
      ),
  },
  'an immediate made in a poll callback precedes a pending timer': {
    needs: 'phases',
    run: () =>
      answer((resolve, reject) => {
        let x = 0;
        setTimeout(() => (x === 1 ? reject(new Error('timer between')) : resolve()), 5);
        look(() => {
          x = 1;
          setImmediate(() => {
            x = 2;
          });
        });
      }),
  },
  'an immediate made in a poll callback precedes a request made there': {
    needs: 'phases',
    run: () =>
      answer((resolve, reject) =>
        look(() => {
          let ran = false;
          look(() => (ran ? resolve() : reject(new Error('request first'))));
          setImmediate(() => {
            ran = true;
          });
        }),
      ),
  },
  'cleared by an earlier immediate': {
    run: () =>
      answer((resolve, reject) => {
        setImmediate(() => clearImmediate(second));
        const second = setImmediate(() => reject(new Error('cleared')));
        setImmediate(resolve);
      }),
  },
  'a batch whose rest is cleared is over': {
    run: () =>
      answer((resolve, reject) => {
        let first = true;
        setImmediate(() => {
          clearImmediate(second);
          setImmediate(() => {
            if (!first) reject(new Error('order'));
            first = false;
          });
          setImmediate(() => (first ? reject(new Error('second first')) : resolve()));
          look(() => {});
        });
        const second = setImmediate(() => reject(new Error('cleared')));
      }),
  },
  'a callback has its microtasks behind it when the next one comes': {
    needs: 'drains',
    run: () =>
      answer((resolve, reject) => {
        let busy = false;
        for (let i = 0; i < 3; i++)
          look(() => {
            if (busy) reject(new Error('two at a time'));
            busy = true;
            queueMicrotask(() => {
              busy = false;
              if (i === 2) resolve();
            });
          });
      }),
  },
  'ticks are not interrupted': {
    run: async () => {
      let n = 0;
      let arrived = false;
      look(() => {
        arrived = true;
      });
      const flood = () => {
        if (n++ >= 300) return;
        if (arrived) impossible('arrival among ticks');
        process.nextTick(flood);
      };
      flood();
      await Promise.resolve();
      await fsp.stat('.');
    },
  },
  'microtasks are not interrupted': {
    run: async () => {
      let arrived = false;
      look(() => {
        arrived = true;
      });
      for (let i = 0; i < 200; i++) {
        await null;
        if (arrived) impossible('arrival among microtasks');
      }
    },
  },
  'ticks before microtasks after a callback': {
    run: async () => {
      const order: string[] = [];
      await answer((resolve) =>
        look(() => {
          Promise.resolve().then(() => order.push('micro'));
          process.nextTick(() => order.push('tick'));
          setImmediate(resolve);
        }),
      );
      if (order.join() !== 'tick,micro') impossible(order);
    },
  },
  'microtasks first after a promise': {
    run: async () => {
      const order: number[] = [];
      await fsp.stat('.').then(() => {
        order.push(1);
        process.nextTick(() => order.push(3));
        Promise.resolve().then(() => order.push(2));
      });
      await immediate();
      if (order.join() !== '1,2,3') impossible(order);
    },
  },
  'one promise, two waiters, in order': {
    run: async () => {
      const shared = fsp.stat('.');
      const order: string[] = [];
      const waiter = async (name: string) => {
        await shared;
        order.push(name);
      };
      await Promise.all([waiter('a'), waiter('b')]);
      if (order.join('') !== 'ab') impossible(order);
    },
  },
  'an emitter in the turn of a callback': {
    run: async () => {
      const emitter = new EventEmitter();
      let x = 0;
      look(() => {
        x = 1;
        emitter.emit('go');
      });
      await once(emitter, 'go');
      if (x !== 1) impossible(x);
      x = 2;
      await null;
      if (x !== 2) impossible(x);
    },
  },
  'events.on keeps order': {
    run: async () => {
      const emitter = new EventEmitter();
      let n = 0;
      const timer = setInterval(() => {
        emitter.emit('t', n++);
        if (n === 4) clearInterval(timer);
      }, 3);
      let seen = 0;
      for await (const [value] of on(emitter, 't')) {
        if (value !== seen++) impossible(value);
        if (seen === 4) break;
      }
    },
  },
  'immediates do not starve requests': {
    run: async () => {
      let arrived = false;
      look(() => {
        arrived = true;
      });
      for (let n = 0; !arrived; n++) {
        if (n > 20_000) impossible('20,000 immediates during one stat');
        await immediate();
      }
    },
  },
  'zero timers do not starve requests': {
    run: async () => {
      let arrived = false;
      look(() => {
        arrived = true;
      });
      for (let n = 0; !arrived; n++) {
        if (n > 5000) impossible('5000 ms during one stat');
        await sleep(0);
      }
    },
  },
  'scheduler.yield is an immediate': {
    run: async () => {
      const order: number[] = [];
      setImmediate(() => order.push(1));
      await scheduler.yield();
      order.push(2);
      if (order.join() !== '1,2') impossible(order);
    },
  },
  'the pool starts requests in order': {
    needs: 'pool',
    run: async () => {
      const order: number[] = [];
      await Promise.all([0, 1, 2, 3, 4, 5].map((i) => fsp.stat('.').then(() => order.push(i))));
      if (order[0]! > 3) impossible(order);
    },
  },
  'look-ups leave half of the pool to others': {
    needs: 'pool',
    run: async () => {
      const order: number[] = [];
      await Promise.all([0, 1, 2].map((i) => dns.lookup('localhost').then(() => order.push(i))));
      if (order[0] === 2) impossible('three look-ups on two threads');
    },
  },
  'two emits in one turn are not torn apart': {
    run: async () => {
      const emitter = new EventEmitter();
      let between = false;
      look(() => {
        between = true;
        emitter.emit('a');
        emitter.emit('b');
        between = false;
      });
      for (let i = 0; i < 3; i++)
        look(() => {
          if (between) impossible('inside the turn');
        });
      await Promise.all([once(emitter, 'a'), once(emitter, 'b')]);
    },
  },
};
