/** Hooks of the program that want to know when things are gone: Node tells that in its own check phase. */
import { createHook } from 'node:async_hooks';
import { replaceMethod } from '../replace.ts';
import { valueUnder } from '../symbols.ts';
import { innerBindingOf } from './bindings.ts';
import type { HostRequests } from './controller.ts';

/** Answers whether a run has enabled such a hook. Those of a test runner, which always has one, do not count. */
export function watchDestroyHooks(controller: HostRequests): () => boolean {
  const enabled = new Set<object>();
  const prototype = Object.getPrototypeOf(createHook({}));
  const { enable, disable } = prototype;
  replaceMethod(prototype, 'enable', function (this: object) {
    if (controller.active() && valueUnder(this, 'destroy')) enabled.add(this);
    return enable.call(this);
  });
  replaceMethod(prototype, 'disable', function (this: object) {
    enabled.delete(this);
    return disable.call(this);
  });
  return () => enabled.size > 0;
}

/** Hooks of promises that the program has set hear of no more: what comes behind its run is ours. */
export function silencePromiseHooks(): void {
  innerBindingOf('async_wrap')?.setPromiseHooks?.(undefined, undefined, undefined, undefined);
}
