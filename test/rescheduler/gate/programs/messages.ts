/** Messages of a thread to itself: the kernel has them at once, so that no poll phase passes without them. */
import { stat } from 'node:fs';
import { answer, type Case, impossible } from './program.ts';

const look = (callback: () => void) => stat('.', callback);

/** A channel whose second port says when a message comes; closing one port ends it. */
function channel(came: () => void): InstanceType<typeof MessageChannel> {
  const both = new MessageChannel();
  both.port2.on('message', came);
  return both;
}

export const messages: Record<string, Case> = {
  'what a message sends to a port that was made later comes in the same poll phase': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        let told = false;
        const first = channel(() => {
          second.port1.postMessage('x');
          setImmediate(() => {
            first.port1.close();
            second.port1.close();
            if (!told) impossible('an immediate came first');
            resolve();
          });
        });
        const second = channel(() => {
          told = true;
        });
        setImmediate(() => first.port1.postMessage('x'));
      }),
  },
  'messages of one turn come in the order of their ports, not in that in which they were sent': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        const told: string[] = [];
        const first = channel(() => told.push('first'));
        const second = channel(() => {
          first.port1.close();
          second.port1.close();
          if (told.length === 0) impossible('the port that was made later came first');
          resolve();
        });
        look(() => {
          second.port1.postMessage('x');
          first.port1.postMessage('x');
        });
      }),
  },
  'messages of two turns that precede one poll phase come in the order of their ports, too': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        const told: string[] = [];
        const first = channel(() => told.push('first'));
        const second = channel(() => {
          first.port1.close();
          second.port1.close();
          if (told.length === 0) impossible('the port that was made later came first');
          resolve();
        });
        setImmediate(() => second.port1.postMessage('x'));
        setImmediate(() => first.port1.postMessage('x'));
      }),
  },
  'what is sent back in one poll phase comes in the next one': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        let checked = false;
        const back = (came: () => void) => {
          const { port1, port2 } = channel(() => port2.postMessage('x'));
          port1.on('message', came);
          return port1;
        };
        const first = back(() =>
          setImmediate(() => {
            checked = true;
          }),
        );
        const second = back(() => {
          first.close();
          second.close();
          if (checked) impossible('an immediate came between');
          resolve();
        });
        for (const port of [first, second]) port.postMessage('x');
      }),
  },
  'of ports whose other ends were closed in one poll phase the one that was made last is closed first': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        const closed: string[] = [];
        const both = ['first', 'second'].map((name) => {
          const { port1, port2 } = channel(() => port1.close());
          port2.on('close', () => {
            closed.push(name);
            if (closed.length < 2) return;
            if (closed[0] === 'first') impossible('the port that was made first was closed first');
            resolve();
          });
          return port1;
        });
        for (const port of both) port.postMessage('x');
      }),
  },
  'ports that are closed in one turn close last first, and so do their other ends behind them': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        const told: string[] = [];
        const both = ['a', 'b'].map((name) => {
          const { port1, port2 } = channel(() => {});
          for (const [nth, port] of [port1, port2].entries())
            port.on('close', () => {
              told.push(`${name}${nth + 1}`);
              if (told.length < 4) return;
              if (told.join(' ') !== 'b1 a1 b2 a2') impossible(told.join(' '));
              resolve();
            });
          return port1;
        });
        for (const port of both) port.close();
      }),
  },
  'what waited for a port that came with a message comes a round behind it': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        const carrier = new MessageChannel();
        const sent = new MessageChannel();
        sent.port1.postMessage('early');
        let checked = false;
        carrier.port2.on('message', (port: InstanceType<typeof MessagePort>) => {
          setImmediate(() => {
            checked = true;
          });
          port.on('message', () => {
            carrier.port1.close();
            port.close();
            if (!checked) impossible('it came in the same poll phase');
            resolve();
          });
        });
        look(() => carrier.port1.postMessage(sent.port2, [sent.port2]));
      }),
  },
  'what is left of a port that is sent closes in the closing phase behind that, before it arrives': {
    run: () =>
      answer((resolve) => {
        const carrier = new MessageChannel();
        const sent = new MessageChannel();
        let closed = false;
        sent.port2.on('close', () => {
          closed = true;
        });
        carrier.port2.on('message', (port: InstanceType<typeof MessagePort>) => {
          carrier.port1.close();
          port.close();
          if (!closed) impossible('it arrived first');
          resolve();
        });
        setImmediate(() => carrier.port1.postMessage(sent.port2, [sent.port2]));
      }),
  },
  'the other end of a port closes a round behind it': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        let passed = 0;
        const { port1, port2 } = channel(() => {});
        port2.on('close', () => {
          if (passed < 2) impossible('both ends closed in one round');
          resolve();
        });
        const pass = () => setImmediate(() => ++passed < 2 && pass());
        setTimeout(() => {
          port1.close();
          pass();
        }, 1);
      }),
  },
  'a message comes before the answer to what was asked in an answer': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        let came = false;
        const { port1 } = channel(() => {
          came = true;
        });
        port1.postMessage('x');
        look(() =>
          look(() => {
            port1.close();
            if (!came) impossible('the message passed over');
            resolve();
          }),
        );
      }),
  },
  'a message comes before an immediate that was made with it in an answer': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        let came = false;
        const { port1 } = channel(() => {
          came = true;
        });
        look(() => {
          port1.postMessage('x');
          setImmediate(() => {
            port1.close();
            if (!came) impossible('the immediate first');
            resolve();
          });
        });
      }),
  },
  'an immediate comes before a message that was sent with it in an answer, through a port made there': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        let ran = false;
        look(() => {
          const { port1 } = channel(() => {
            port1.close();
            if (!ran) impossible('the message first');
            resolve();
          });
          port1.postMessage('x');
          setImmediate(() => {
            ran = true;
          });
        });
      }),
  },
  'a message comes before a timer that a timer started behind it': {
    run: () =>
      answer((resolve) => {
        let came = false;
        const { port1 } = channel(() => {
          came = true;
        });
        look(() => {});
        setTimeout(() => {
          port1.postMessage('x');
          setTimeout(() => {
            port1.close();
            if (!came) impossible('another timers phase first');
            resolve();
          }, 5);
        }, 5);
      }),
  },
  'a broadcast within the thread comes before the answer to what was asked in an answer': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        let came = false;
        const [from, to] = [new BroadcastChannel('here'), new BroadcastChannel('here')];
        to.onmessage = () => {
          came = true;
        };
        from.postMessage('x');
        look(() =>
          look(() => {
            from.close();
            to.close();
            if (!came) impossible('the broadcast passed over');
            resolve();
          }),
        );
      }),
  },
  'an immediate made in a message comes before the answer to what was asked in it': {
    needs: 'phases',
    run: () =>
      answer((resolve) => {
        let ran = false;
        const { port1 } = channel(() => {
          port1.close();
          look(() => {
            if (!ran) impossible('the answer first');
            resolve();
          });
          setImmediate(() => {
            ran = true;
          });
        });
        port1.postMessage('x');
      }),
  },
};
