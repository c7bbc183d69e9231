/** Immediates: Node's own Immediate objects, kept out of Node's queue and run one at a time by Node's code. */
import { wrapMethod } from '../replace.ts';
import type { HostRequests } from './controller.ts';
import { originOf } from './naming.ts';
import type { NativeImmediate, NodeInternals } from './node-internals.ts';
import type { HostRequest } from './request.ts';
import type { WhatIsLeft } from './timers.ts';

const REF_COUNT = 1;
const HAS_OUTSTANDING = 2;

/** The pending ones at the end of a run. */
interface Immediates {
  drop(left: WhatIsLeft): void;
}

export function wrapImmediates(internals: NodeInternals, controller: HostRequests): Immediates {
  const { immediateQueue: queue, immediateInfo: info, binding, processImmediate } = internals;
  const append = queue.append;
  const remove = queue.remove;
  let pending = new Map<NativeImmediate, HostRequest>();

  function fire(item: NativeImmediate, request: HostRequest): void {
    pending.delete(item);
    const { head, tail } = queue;
    const outstanding = info[HAS_OUTSTANDING]!;
    queue.head = queue.tail = item;
    const { frames } = controller;
    try {
      frames.runAs(frames.deliveryFrame(request), processImmediate);
    } finally {
      info[HAS_OUTSTANDING] = outstanding;
      restore(head, tail);
      letLoopRest();
    }
  }

  /** Puts what was queued natively before in front of what came meanwhile. */
  function restore(head: NativeImmediate | null, tail: NativeImmediate | null): void {
    if (!head || !tail) return;
    tail._idleNext = queue.head;
    if (queue.head) queue.head._idlePrev = tail;
    else queue.tail = tail;
    queue.head = head;
  }

  /** Node stops its idle handle only in its own check phase, which it skips when nothing is counted. */
  function letLoopRest(): void {
    if (info[REF_COUNT] === 0) binding.toggleImmediateRef(false);
  }

  queue.append = (item) => {
    if (!controller.active('setImmediate')) {
      append.call(queue, item);
      return;
    }
    const request: HostRequest = {
      kind: 'immediate',
      api: 'setImmediate',
      what: '',
      ...originOf(controller, 'setImmediate'),
      ref: true,
      id: -1,
      accesses: () => [],
      effects: 0,
      effect: (done) => done(true),
      deliver: () => fire(item, request),
    };
    pending.set(item, request);
    controller.issue(request);
  };
  const prototype = immediatePrototype();
  for (const method of ['ref', 'unref'])
    wrapMethod(
      prototype,
      method,
      (native) =>
        function (this: NativeImmediate) {
          native.call(this);
          const request = pending.get(this);
          if (request && request.ref !== this.hasRef()) controller.setRef(request, this.hasRef());
          return this;
        },
    );
  queue.remove = (item) => {
    const request = pending.get(item);
    if (!request) {
      remove.call(queue, item);
      return;
    }
    pending.delete(item);
    controller.cancel(request);
  };
  return {
    drop(what) {
      const left = [...pending.keys()];
      pending = new Map();
      for (const item of left)
        if (what === 'goes on') append.call(queue, item);
        else if (what === 'never comes') clearImmediate(item as unknown as NodeJS.Immediate);
      if (what === 'goes on' && left.some((item) => item.hasRef())) binding.toggleImmediateRef(true);
    },
  };
}

function immediatePrototype(): object {
  const immediate = setImmediate(() => {});
  clearImmediate(immediate);
  return Object.getPrototypeOf(immediate);
}
