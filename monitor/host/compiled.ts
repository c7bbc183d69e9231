/**
 * Which modules the engine has compiled in this process: before Node 26 it takes a poll phase more for those that it has
 * not. It forgets modules that nobody uses any more; then an order is tried that a fresh process does not confirm.
 */
import { createHash } from 'node:crypto';

const TAKES_LONGER = Number.parseInt(process.versions.node, 10) < 26;
const compiled = new Set<string>();

/** Notes these bytes. `source`: what `WebAssembly.compile` was given, or anything else. */
export function isUncached(source: unknown): boolean {
  const bytes = ArrayBuffer.isView(source) ? source : null;
  const buffer =
    source instanceof ArrayBuffer || source instanceof SharedArrayBuffer ? source : bytes?.buffer;
  if (!TAKES_LONGER || !buffer) return false;
  const { byteOffset = 0, byteLength } = bytes ?? (buffer as { byteOffset?: number; byteLength: number });
  const digest = createHash('sha1')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');
  const { size } = compiled;
  return compiled.add(digest).size > size;
}
