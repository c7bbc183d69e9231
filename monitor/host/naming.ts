/**
 * Stable names. A name tells the path by which a request came to be: its activation, or the request whose
 * turn caused it, then the API and an ordinal among its siblings. Siblings are issued in the same
 * activation or turn, inside which nothing can be reordered, so that the name is the same in every order.
 */
import type { Frame } from '../runtime/types.ts';
import type { HostRequests } from './controller.ts';
import type { HostRequest } from './request.ts';

/** Names may be as long as the chain that led to them; longer ones keep their ends and a hash of the middle. */
const LONGEST = 240;
const KEPT = 100;

/** Ordinals of the requests that one request caused, and of those without any cause in this run. */
const caused = new WeakMap<object, Map<string, number>>();

/** Path of what no function of the program has called. */
const ROOT = 'root';

/**
 * The name of a request that is being issued now. What the root asks for, and what packages that nobody looks into ask for in its ticks
 * and microtasks, where no activation is known, are numbered as one: they are called alike.
 */
export function nameOf(controller: HostRequests, api: string): string {
  const frame = controller.frames.cur();
  if (frame && frame.path !== ROOT) return shorten(`${frame.path}|${api}#${next(frame.ordinals, api)}`);
  const cause = frame ? null : controller.turn;
  const owner = cause ?? controller.root;
  let ordinals = caused.get(owner);
  if (!ordinals) caused.set(owner, (ordinals = new Map()));
  const ordinal = next(ordinals, api);
  return cause ? shorten(`${cause.name}>${api}#${ordinal}`) : `${ROOT}|${api}#${ordinal}`;
}

/** The activation that a request belongs to: the running one, else that of the turn's request. */
export function ownerOf(controller: HostRequests): Frame | null {
  return controller.frames.cur() ?? controller.turn?.frame ?? null;
}

/** Who asks for something or made it come: a name for it, and the activation that it belongs to. */
export interface RequestOrigin {
  readonly name: string;
  readonly frame: HostRequest['frame'];
  readonly site: number;
}

/** The code that runs now is the origin of a request that will be called `api`. */
export function originOf(controller: HostRequests, api: string): RequestOrigin {
  const frame = ownerOf(controller);
  return {
    name: nameOf(controller, api),
    frame,
    site: controller.frames.site?.() ?? frame?.site ?? -1,
  };
}

/** The name of the `n`-th firing of a repeating timer. */
export function repeatName(request: HostRequest, first: string, n: number): string {
  return n === 0 ? request.name : shorten(`${first}+${n}`);
}

function next(ordinals: Map<string, number>, api: string): number {
  const n = (ordinals.get(api) ?? 0) + 1;
  ordinals.set(api, n);
  return n;
}

function shorten(name: string): string {
  if (name.length <= LONGEST) return name;
  return `${name.slice(0, KEPT)}~${hash(name)}~${name.slice(-KEPT)}`;
}

/** 53 bits of two multiplicative hashes (cyrb53): enough that two names of one run never meet. */
function hash(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
