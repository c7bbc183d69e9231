/** The rows of the host table: what a program can ask of the host, and the gate holds. */
import 'node:dns/promises';
import { FS_JOBS } from '../../monitor/host/fs-jobs.ts';
import { FS_SYNC_TABLE, FS_TABLE } from '../../monitor/host/fs-table.ts';
import { eachJobRow } from '../../monitor/host/jobs.ts';

/** What is wrapped at a handle, or at Node's own queues, and has no table. */
const HANDLES = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'MessagePort', 'zlib.write'],
  ...['fs.opendir', 'fs.Dir.read', 'fs.Dir.close', 'fs.watch', 'fs.watchFile', 'child_process.exit'],
  ...['net.accept', 'net.close', 'net.connect', 'net.listen', 'net.read', 'net.shutdown', 'net.write'],
  'dgram.message',
];

/** Names of all rows that this Node has. */
export function rowsHere(): string[] {
  const { binding } = process as unknown as { binding(name: string): Record<string, unknown> };
  const fs = binding.call(process, 'fs');
  const files = Object.entries({ ...FS_TABLE, ...FS_SYNC_TABLE, ...FS_JOBS })
    .filter(([name]) => typeof fs[name] === 'function')
    .map(([, { api }]) => api);
  const jobs: string[] = [];
  eachJobRow(({ target, names, prefix }) => {
    const here = names.filter((name) => typeof (target as Record<string, unknown>)[name] === 'function');
    jobs.push(...here.map((name) => `${prefix}.${name}`));
  });
  return [...new Set([...HANDLES, ...files, ...jobs])].sort();
}
