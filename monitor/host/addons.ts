/**
 * What addons do outside of JavaScript: in threads of the pool or of their own. Node lists none of it, and its callbacks
 * come straight from there, neither held nor foreseen (C7). The time of a run must not leap over it (C12).
 *
 * An addon that wants to be called back makes an asynchronous resource, of which only hooks hear. They are set
 * once one is loaded, while a run lasts.
 */
import { AsyncResource, asyncWrapProviders, createHook } from 'node:async_hooks';
import { replaceMethod } from '../replace.ts';
import type { HostDoubts, HostLiveness } from './controller.ts';

const WORK = 'work of an addon';

/** What Node makes in JavaScript without that class. */
const OF_NODE = ['Immediate', 'TickObject', 'Timeout'];

export class Addons {
  private readonly controller: HostLiveness & HostDoubts;
  private readonly ofNode = new Set([...OF_NODE, ...Object.keys(asyncWrapProviders)]);
  /** By async id: what tells that it is over. */
  private readonly atWork = new Map<number, () => void>();
  private readonly hook = createHook({
    init: (id, type, _trigger, resource) => this.begins(id, type, resource),
    destroy: (id) => this.ends(id),
    trackPromises: false,
  } as Parameters<typeof createHook>[0]);
  private loaded = false;
  private within = false;

  constructor(controller: HostLiveness & HostDoubts) {
    this.controller = controller;
    const { dlopen } = process as unknown as { dlopen: Function };
    const loads = (): void => this.load();
    replaceMethod(process, 'dlopen', function (this: unknown, ...args: unknown[]) {
      loads();
      return dlopen.apply(this, args);
    });
  }

  /** A run begins. */
  begin(): void {
    this.within = true;
    if (this.loaded) this.hook.enable();
  }

  /** It is over. */
  drop(): void {
    this.within = false;
    this.hook.disable();
    for (const over of this.atWork.values()) over();
    this.atWork.clear();
  }

  private load(): void {
    this.loaded = true;
    if (this.within) this.hook.enable();
  }

  private begins(id: number, type: string, resource: object): void {
    if (this.ofNode.has(type) || resource instanceof AsyncResource) return;
    this.controller.doubt(WORK);
    this.atWork.set(id, this.controller.begin(WORK));
  }

  private ends(id: number): void {
    this.atWork.get(id)?.();
    this.atWork.delete(id);
  }
}
