/**
 * A message that is there only while its event is being handled.
 * Looks racy: the waiter reads a field that an immediate empties.
 * Safe: `once` continues in the turn of the event.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { stat } from 'node:fs/promises';
import { harness } from '../api.ts';

class Channel extends EventEmitter {
  message: { readonly text: string } | null = null;
  readonly dir: string;

  constructor(dir: string) {
    super();
    this.dir = dir;
  }

  async receive(): Promise<string> {
    await once(this, 'message');
    assert.ok(this.message, 'the message is gone');
    return this.message.text;
  }

  async deliver(text: string): Promise<void> {
    await stat(this.dir);
    this.message = { text };
    this.emit('message');
    setImmediate(() => {
      this.message = null;
    });
  }
}

harness({
  name: 'once-emitter',
  setup: ({ dir }) => new Channel(dir),
  tasks: {
    receiver: async (channel) => assert.equal(await channel.receive(), 'hello'),
    sender: (channel) => channel.deliver('hello'),
    bystander: async (channel) => {
      await stat(channel.dir);
      await stat(channel.dir);
    },
  },
  check: () => {},
  expect: { bug: false },
});
