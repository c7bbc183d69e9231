/** What libuv waits for: nobody but Node's report tells of handles that only Node's own code, or nobody, waits for. */

/** An address of a socket, as far as it is told apart here. */
interface Endpoint {
  readonly ip4?: string;
  readonly ip6?: string;
  readonly port?: number;
}

/** A handle of the loop. Those of pipes and servers have less. */
export interface LoopHandle {
  readonly type: string;
  readonly is_active: boolean;
  readonly fd?: number;
  readonly address?: string;
  /** Of a signal. */
  readonly signal?: string;
  /** What a watcher watches. */
  readonly filename?: string;
  readonly localEndpoint?: Endpoint | string | null;
  readonly remoteEndpoint?: Endpoint | string | null;
}
const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };

/** All handles of the loop. Takes some ms, and waits for each worker, which may wait for us. */
export function loopHandles(): readonly LoopHandle[] {
  // Else it would look up names of hosts.
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  try {
    return (report.getReport() as unknown as { readonly libuv: readonly LoopHandle[] }).libuv;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

/** Descriptors that the loop waits for. */
export function watchedDescriptors(): ReadonlySet<number> {
  return new Set(loopHandles().flatMap(({ is_active, fd }) => (is_active && fd !== undefined ? [fd] : [])));
}
